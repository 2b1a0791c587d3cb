#include "results/netlist_json.hpp"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace starloom {
namespace {

/// A JSON array whose entries stand on lines of their own.
class Lines {
 public:
  template <class... Parts>
  void add(const char* format, const Parts&... parts) {
    text_ += text_.empty() ? "\n    {" : ",\n    {";
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), parts...);
    text_ += '}';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Walks through the modules of a network.
class NetlistWriter {
 public:
  explicit NetlistWriter(Network& network) : network_(network) {
    instances_.add(R"("name": "{}", "module": "Fabric")", name(network.fabric));
  }

  void add(Node& node) {
    const bool foreign = dynamic_cast<Processor*>(&node) == nullptr;
    instances_.add(R"("name": "{}", "module": "{}", "node": {})", name(node), foreign ? "NodeSocket" : "Processor",
                   node.id());
    for (const auto& buffer : node.buffers())
      if (buffer != nullptr)
        instances_.add(R"("name": "{}", "module": "FlitBuffer", "capacity": {})", name(*buffer), buffer->capacity());
    for (int k = 0; k < node.out.size(); ++k) {
      const Link& link = node.out[k]->link_written();
      instances_.add(R"("name": "{}", "module": "Link", "latency": {})", name(link), link.latency());
      bind(node, node.out, k, "out", link);
    }
    for (int k = 0; k < node.in.size(); ++k) bind(node, node.in, k, "in", node.in[k]->link_read());
  }

  std::string text() const {
    return fmt::format(
        "{{\n  \"schema\": 1,\n  \"instances\": [{}\n  ],\n  \"ports\": [{}\n  ],\n  \"bindings\": [{}\n  ]\n}}\n",
        instances_.text(), ports_.text(), bindings_.text());
  }

 private:
  std::string name(const sc_core::sc_object& object) const { return name_below(network_, object); }
  void bind(const Node& node, const sc_core::sc_object& port, int k, const char* direction, const Link& link) {
    const std::string its_name = fmt::format("{}[{}]", name(port), k);
    ports_.add(R"("name": "{}", "direction": "{}", "side": "{}")", its_name, direction,
               node.port_names()[static_cast<std::size_t>(k)]);
    bindings_.add(R"("port": "{}", "channel": "{}")", its_name, name(link));
  }

  Network& network_;
  Lines instances_;
  Lines ports_;
  Lines bindings_;
};

}  // namespace

std::string netlist_json(Network& network, NodeId nodes) {
  NetlistWriter writer(network);
  for (NodeId id = 0; id < nodes; ++id) writer.add(network.node(id));
  return writer.text();
}

std::string name_below(const Network& network, const sc_core::sc_object& object) {
  return object.name() + std::strlen(network.name()) + 1;
}

}  // namespace starloom

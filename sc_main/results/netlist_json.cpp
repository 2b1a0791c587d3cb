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

/// The three lists, with the names of SystemC below the network.
class Netlist {
 public:
  explicit Netlist(const sc_core::sc_module& network) : network_(network) {}

  /// `parts`: what stands behind the name and the module.
  template <class... Parts>
  void instance(const sc_core::sc_object& object, const char* module, const char* format = "", const Parts&... parts) {
    instances_.add(R"("name": "{}", "module": "{}"{})", name(object), module,
                   fmt::format(fmt::runtime(format), parts...));
  }
  /// The k-th binding of a port. `side`: of a link, else empty.
  void bind(const sc_core::sc_object& port, int k, const char* direction, const std::string& side,
            const sc_core::sc_object& channel) {
    const std::string its_name = fmt::format("{}[{}]", name(port), k);
    ports_.add(R"("name": "{}", "direction": "{}"{})", its_name, direction,
               side.empty() ? "" : fmt::format(R"(, "side": "{}")", side));
    bindings_.add(R"("port": "{}", "channel": "{}")", its_name, name(channel));
  }

  std::string text() const {
    return fmt::format(
        "{{\n  \"schema\": 1,\n  \"instances\": [{}\n  ],\n  \"ports\": [{}\n  ],\n  \"bindings\": [{}\n  ]\n}}\n",
        instances_.text(), ports_.text(), bindings_.text());
  }

 private:
  std::string name(const sc_core::sc_object& object) const { return name_below(network_, object); }

  const sc_core::sc_module& network_;
  Lines instances_;
  Lines ports_;
  Lines bindings_;
};

void add(Netlist& netlist, Node& node) {
  const bool foreign = dynamic_cast<Processor*>(&node) == nullptr;
  netlist.instance(node, foreign ? "NodeSocket" : "Processor", R"(, "node": {})", node.id());
  for (const auto& buffer : node.buffers())
    if (buffer != nullptr) netlist.instance(*buffer, "FlitBuffer", R"(, "capacity": {})", buffer->capacity());
  const auto side = [&](int k) { return node.port_names()[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < node.out.size(); ++k) {
    const Link& link = node.out[k]->link_written();
    netlist.instance(link, "Link", R"(, "latency": {})", link.latency());
    netlist.bind(node.out, k, "out", side(k), link);
  }
  for (int k = 0; k < node.in.size(); ++k) netlist.bind(node.in, k, "in", side(k), node.in[k]->link_read());
}

void add(Netlist& netlist, TransmitRow& row) {
  netlist.instance(row, "TransmitRow");
  for (int k = 0; k < row.couplers.size(); ++k) {
    const PassiveStar& coupler = row.couplers[k]->star_driven();
    netlist.instance(coupler, "PassiveStar");
    netlist.bind(row.couplers, k, "out", "", coupler);
  }
}

void add(Netlist& netlist, ReceiveColumn& column) {
  netlist.instance(column, "ReceiveColumn");
  for (int k = 0; k < column.couplers.size(); ++k)
    netlist.bind(column.couplers, k, "in", "", column.couplers[k]->star_sampled());
}

void add(Netlist& netlist, StarProcessor& processor) {
  netlist.instance(processor, "StarProcessor", R"(, "node": {})", processor.id());
  netlist.instance(processor.buffer, "StarBuffer", R"(, "capacity": {})", StarBuffer::capacity());
  netlist.bind(processor.transmit, 0, "out", "", processor.transmit->row());
  netlist.bind(processor.receive, 0, "in", "", processor.receive->column());
}

}  // namespace

std::string netlist_json(Network& network, NodeId nodes) {
  Netlist netlist(network);
  netlist.instance(network.fabric, "Fabric");
  for (NodeId id = 0; id < nodes; ++id) add(netlist, network.node(id));
  return netlist.text();
}

std::string netlist_json(StarNetwork& network, const Pops& pops) {
  Netlist netlist(network);
  netlist.instance(network.fabric, "StarFabric");
  const auto first = [&](std::int32_t group) -> StarProcessor& { return network.processor(pops.node_at(group, 0)); };
  for (std::int32_t group = 0; group < pops.groups(); ++group) add(netlist, first(group).transmit->row());
  for (std::int32_t group = 0; group < pops.groups(); ++group) add(netlist, first(group).receive->column());
  for (NodeId id = 0; id < pops.nodes(); ++id) add(netlist, network.processor(id));
  return netlist.text();
}

std::string name_below(const sc_core::sc_module& network, const sc_core::sc_object& object) {
  return object.name() + std::strlen(network.name()) + 1;
}

}  // namespace starloom

#include <starloom/results/links/netlist_json.hpp>

#include <starloom/results/netlist_writer.hpp>

namespace starloom::links {
namespace {

void add(NetlistWriter& netlist, Node& node) {
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

}  // namespace

std::string netlist_json(Network& network, NodeId nodes) {
  NetlistWriter netlist(network);
  netlist.instance(network.fabric, "Fabric");
  for (NodeId id = 0; id < nodes; ++id) add(netlist, network.node(id));
  return netlist.text();
}

}  // namespace starloom::links

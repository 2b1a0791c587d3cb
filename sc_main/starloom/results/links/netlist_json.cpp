// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/links/netlist_json.hpp>

#include <starloom/results/netlist_writer.hpp>

namespace starloom::links {
namespace {

void add(NetlistWriter& netlist, Node& node, const NetworkGraph& graph) {
  const char* const module = node.role() == NodeRole::switch_node          ? "Switch"
                             : dynamic_cast<RouterNode*>(&node) != nullptr ? "RouterNode"
                                                                           : "NodeSocket";
  std::string of_node = fmt::format(R"(, "node": {})", graph.home(node.id()));
  if (graph.subnets() > 1) of_node += fmt::format(R"(, "subnet": {})", graph.subnet_of(node.id()));
  if (graph.period(node.id()) > 1) of_node += fmt::format(R"(, "period": {})", graph.period(node.id()));
  netlist.instance(node, module, "{}", of_node);
  for (const auto& buffer : node.buffers())
    if (buffer != nullptr) netlist.instance(*buffer, "FlitBuffer", R"(, "capacity": {})", buffer->capacity());
  const auto side = [](const PortList& ports, int k) { return ports.names[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < node.out.size(); ++k) {
    const Link& link = node.out[k]->link_written();
    const LinkTiming& timing = link.timing();
    std::string facts = fmt::format(R"(, "latency": {})", timing.latency);
    if (timing.interval > 1) facts += fmt::format(R"(, "interval": {})", timing.interval);
    if (timing.phits > 1) facts += fmt::format(R"(, "phits": {})", timing.phits);
    netlist.instance(link, "Link", "{}", facts);
    netlist.bind(node.out, k, "out", side(node.out_ports(), k), link);
  }
  for (int k = 0; k < node.in.size(); ++k)
    netlist.bind(node.in, k, "in", side(node.in_ports(), k), node.in[k]->link_read());
}

}  // namespace

std::string netlist_json(Network& network, const NetworkGraph& graph) {
  NetlistWriter netlist(network);
  netlist.instance(network.fabric, "Fabric");
  for (NodeId id = 0; id < graph.nodes(); ++id) add(netlist, network.node(id), graph);
  return netlist.text();
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/paths.hpp>

namespace starloom::links {

bool offered_path(const NetworkGraph& graph, const Algorithm& algorithm, const Packet& packet,
                  std::uint32_t random_choice, PacketPath& path) {
  path.source = packet.source;
  path.destination = packet.destination;
  path.links.clear();
  const routing::RoutingFunction* function = algorithm.function_of(packet);
  if (function == nullptr)
    return follow_fixed_path(graph, algorithm, packet.source, packet.destination,
                             [&](NodeId node, Port port) { path.links.push_back(graph.index(node, port)); });
  const std::size_t most = 4 * static_cast<std::size_t>(graph.nodes());
  routing::Head head{packet.source, graph.ports(), 0, packet.destination, random_choice};
  routing::Choices choices;
  while (path.links.size() <= most) {
    Port port = graph.ports();
    if (path.links.empty() && graph.is_terminal(head.node)) {
      port = graph.out_ports(head.node).lowest();
    } else {
      choices.clear();
      function->route(head, choices);
      if (choices.size() == 0) return false;
      port = choices.begin()->port;
      head.in_channel = choices.begin()->first;
    }
    if (port == graph.ports()) return head.node == packet.destination;
    const LinkEnd end = graph.far_end(head.node, port);
    if (!end.connected()) return false;
    path.links.push_back(graph.index(head.node, port));
    head.node = end.node;
    head.in_port = end.port;
    if (head.node == packet.destination && graph.is_terminal(head.node)) return true;
  }
  return false;
}

}  // namespace starloom::links

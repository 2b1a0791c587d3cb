// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/multicast_tree.hpp>

#include <utility>

namespace starloom::routing {

MulticastTree multicast_tree(const NetworkGraph& graph, const RoutingFunction& function, MulticastGroup group) {
  const Port local = graph.ports();
  MulticastTree tree{std::move(group), std::vector<std::uint64_t>(static_cast<std::size_t>(graph.nodes()), 0), 0};
  Choices choices;
  for (const NodeId destination : tree.group.destinations) {
    Port in = local;
    for (NodeId node = tree.group.source;;) {
      choices.clear();
      function.route({node, in, 0, destination, 0}, choices);
      const Port out = choices.begin()->port;
      std::uint64_t& ports = tree.ports[static_cast<std::size_t>(node)];
      const std::uint64_t bit = std::uint64_t{1} << out;
      if (out != local && (ports & bit) == 0) ++tree.links;
      ports |= bit;
      if (out == local) break;
      const LinkEnd to = graph.far_end(node, out);
      node = to.node;
      in = to.port;
    }
  }
  return tree;
}

}  // namespace starloom::routing

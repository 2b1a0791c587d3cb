// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/links/link_use.hpp>

#include <fmt/format.h>

namespace starloom::links {
namespace {

/// Calls `visit(node, port, flits, utilisation)` for every link.
template <class Visit>
void for_each_link(const NetworkGraph& graph, const LinkUse& use, Visit&& visit) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      const std::int64_t flits = use.flits[graph.index(node, port)];
      visit(node, port, flits, utilisation(flits, graph.interval(node, port), use.steps));
    }
}

}  // namespace

std::string links_csv(const NetworkGraph& graph, const LinkUse& use) {
  std::string text = "node,port,to,flits,utilisation\n";
  for_each_link(graph, use, [&](NodeId node, Port port, std::int64_t flits, double share) {
    text += fmt::format("{},{},{},{},{}\n", node, port, graph.far_end(node, port).node, flits, share);
  });
  return text;
}

std::optional<LinkStart> busiest_link(const NetworkGraph& graph, const LinkUse& use) {
  std::optional<LinkStart> busiest;
  double most = 0;
  for_each_link(graph, use, [&](NodeId node, Port port, std::int64_t /*flits*/, double share) {
    if (share <= most) return;
    most = share;
    busiest = {node, port};
  });
  return busiest;
}

}  // namespace starloom::links

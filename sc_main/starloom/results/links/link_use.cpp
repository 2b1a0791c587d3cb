// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/links/link_use.hpp>

#include <fmt/format.h>

#include <starloom/topology/subnets.hpp>

namespace starloom::links {
namespace {

/// Calls `visit(node, port, flits, utilisation)` for every link.
template <class Visit>
void for_each_link(const NetworkGraph& graph, const LinkUse& use, Visit&& visit) {
  for (const NodeId node : nodes_in_files(graph))
    for (const Port port : graph.out_ports(node)) {
      const std::int64_t flits = use.flits[graph.index(node, port)];
      visit(node, port, flits, utilisation(flits, graph.interval(node, port), use.steps));
    }
}

}  // namespace

std::string links_csv(const NetworkGraph& graph, const LinkUse& use) {
  std::string text = "node,port,to,flits,utilisation\n";
  for_each_link(graph, use, [&](NodeId node, Port port, std::int64_t flits, double share) {
    const LinkEnd end = graph.in_files({node, port});
    text +=
        fmt::format("{},{},{},{},{}\n", end.node, end.port, graph.home(graph.far_end(node, port).node), flits, share);
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

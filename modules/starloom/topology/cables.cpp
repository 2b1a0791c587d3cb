// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/cables.hpp>

#include <cstddef>
#include <tuple>

namespace starloom {
namespace {

LinkEnd partner_by_port(const NetworkGraph& graph, LinkEnd link) {
  const LinkEnd far = graph.far_end(link.node, link.port);
  return graph.out_ports(far.node).has(far.port) && graph.far_end(far.node, far.port) == link ? far : LinkEnd{};
}

/// Those of the links from one node to another that have no partner by port.
std::vector<LinkEnd> other_links(const NetworkGraph& graph, NodeId from, NodeId to) {
  std::vector<LinkEnd> links;
  for (const Port port : graph.out_ports(from))
    if (graph.far_end(from, port).node == to && !partner_by_port(graph, {from, port}).connected())
      links.push_back({from, port});
  return links;
}

}  // namespace

LinkEnd partner_of(const NetworkGraph& graph, LinkEnd link) {
  if (const LinkEnd partner = partner_by_port(graph, link); partner.connected()) return partner;
  const NodeId far = graph.far_end(link.node, link.port).node;
  const std::vector<LinkEnd> there = other_links(graph, link.node, far), back = other_links(graph, far, link.node);
  for (std::size_t rank = 0; rank < there.size() && rank < back.size(); ++rank)
    if (there[rank] == link) return back[rank];
  return {};
}

std::vector<Cable> cables_of(const NetworkGraph& graph) {
  std::vector<Cable> cables;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      const LinkEnd link{node, port}, partner = partner_of(graph, link);
      if (!partner.connected() || std::tie(link.node, link.port) < std::tie(partner.node, partner.port))
        cables.push_back({link, partner});
    }
  return cables;
}

NetworkGraph whole_cables(const NetworkGraph& graph) {
  std::vector<bool> without(graph.link_slots(), false);
  for (const Cable& cable : cables_of(graph))
    if (!cable.upper.connected()) without[graph.index(cable.lower.node, cable.lower.port)] = true;
  return graph.without_links(without);
}

}  // namespace starloom

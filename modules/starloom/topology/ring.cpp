// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/ring.hpp>

#include <string>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/on_circle.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

/// Throws before anything is allocated.
Grid checked_ring(std::int64_t nodes) {
  if (nodes < 2) throw InputError("a ring has at least 2 nodes, not " + std::to_string(nodes));
  if (!NetworkGraph::has_room(static_cast<double>(nodes), Ring::ports))
    throw InputError("a ring has fewer than 2^30 nodes, not " + std::to_string(nodes));
  return Grid::torus({nodes});
}

}  // namespace

Ring::Ring(std::int64_t nodes) : torus_(checked_ring(nodes)) {}

NetworkSize Ring::size() const { return ring_size(nodes()); }

NetworkSize ring_size(std::int64_t nodes) {
  return {static_cast<double>(nodes), Ring::ports * static_cast<double>(nodes)};
}

NetworkGraph make_ring(const Ring& ring, std::int32_t link_latency) {
  constexpr double apart = 1.5;  // cells from node to node
  const Grid& torus = ring.torus();
  NetworkGraphBuilder builder;
  builder.expect(ring.nodes(), Ring::ports);
  const PortNaming ports = builder.name_ports({"plus", "minus"});
  const double radius = circle_radius(ring.nodes(), apart);
  for (NodeId node = 0; node < ring.nodes(); ++node)
    builder.add_node(NodeRole::processor, "node_" + padded(node, ring.nodes()),
                     on_circle({}, radius, static_cast<double>(node) / ring.nodes()), ports);
  for (NodeId node = 0; node < ring.nodes(); ++node)
    for (Port port = 0; port < Ring::ports; ++port)
      builder.add_link({node, port}, {torus.neighbour(node, port), torus.reverse(port)}, {link_latency});
  builder.set_arrangement(torus);
  builder.set_distance([torus](NodeId from, NodeId to) { return torus.distance(from, to); }, torus.diameter());
  return builder.build();
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/grid/grid_graph.hpp>

#include <string>
#include <vector>

#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

GridPositions::GridPositions(const Grid& grid) : grid_(grid), sides_(static_cast<std::size_t>(grid.dimensions())) {
  constexpr double gap = 1;   // between planes
  double extent[2] = {1, 1};  // down, across
  bool across = true;
  for (const int axis : grid.route_axes()) {
    double& cells = extent[across ? 1 : 0];
    Side& side = sides_[static_cast<std::size_t>(axis)];
    side = {across, cells == 1 ? 1 : cells + gap};
    cells += (grid.side(axis) - 1) * side.stride;
    across = !across;
  }
}

PaperPosition GridPositions::position(NodeId node) const {
  PaperPosition position;
  for (int axis = 0; axis < grid_.dimensions(); ++axis) {
    const Side& side = sides_[static_cast<std::size_t>(axis)];
    (side.across ? position.x : position.y) += grid_.coordinate(node, axis) * side.stride;
  }
  return position;
}

NetworkSize grid_graph_size(const Grid& grid) {
  return {static_cast<double>(grid.nodes()), static_cast<double>(grid.links())};
}

NetworkGraph make_grid_graph(const Grid& grid, std::int32_t link_latency) {
  NetworkGraphBuilder builder;
  builder.expect(grid.nodes(), grid.ports());
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(grid.ports()));
  for (Port port = 0; port < grid.ports(); ++port) names.push_back(grid.port_name(port));
  const PortNaming ports = builder.name_ports(names);
  const GridPositions positions(grid);
  for (NodeId node = 0; node < grid.nodes(); ++node)
    builder.add_node(NodeRole::processor, grid.node_name(node), positions.position(node), ports);
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Port port = 0; port < grid.ports(); ++port) {
      const NodeId next = grid.neighbour(node, port);
      if (next != no_node) builder.add_link({node, port}, {next, grid.reverse(port)}, {link_latency});
    }
  builder.set_arrangement(grid);
  builder.set_distance([grid](NodeId from, NodeId to) { return grid.distance(from, to); }, grid.diameter());
  return builder.build();
}

}  // namespace starloom

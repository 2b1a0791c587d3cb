// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/concentrated_mesh.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/on_circle.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

/// Throws before anything is allocated.
Grid checked_switches(const std::vector<std::int64_t>& shape, std::int64_t concentration) {
  constexpr std::size_t most_dimensions = 15;  // one more port is for a processor
  if (shape.empty() || shape.size() > most_dimensions)
    throw InputError("a concentrated mesh has 1 to 15 dimensions, not " + std::to_string(shape.size()));
  for (const std::int64_t side : shape)
    if (side < 1) throw InputError("a concentrated mesh has sides of at least 1, not " + std::to_string(side));
  const auto most = static_cast<std::int64_t>(max_ports - 2 * shape.size());
  if (concentration < 1 || concentration > most)
    throw InputError("a concentrated mesh of " + std::to_string(shape.size()) +
                     (shape.size() == 1 ? " dimension" : " dimensions") + " has 1 to " + std::to_string(most) +
                     " processors at each switch, not " + std::to_string(concentration) + ": a switch has at most " +
                     std::to_string(max_ports) + " ports");
  const NetworkSize size = concentrated_mesh_size(shape, concentration);
  const auto ports = static_cast<double>(2 * shape.size()) + static_cast<double>(concentration);
  if (!NetworkGraph::has_room(size.nodes, ports))
    throw InputError("a concentrated mesh has at most 2^31 - 1 ports; its switches and processors, with " +
                     std::to_string(static_cast<int>(ports)) + " ports each, cannot be " +
                     std::to_string(static_cast<std::int64_t>(std::min(size.nodes, 9e18))));
  return Grid::mesh(shape);
}

/// The name of a node in a grid, with another first word.
std::string renamed(const std::string& word, const std::string& grid_name) {
  return word + "_" + std::string(name_stem(grid_name));
}

}  // namespace

ConcentratedMesh::ConcentratedMesh(const std::vector<std::int64_t>& shape, std::int64_t concentration)
    : mesh_(checked_switches(shape, concentration)), concentration_(static_cast<std::int32_t>(concentration)) {}

NetworkSize ConcentratedMesh::size() const { return concentrated_mesh_size(mesh_.shape(), concentration_); }

std::int32_t ConcentratedMesh::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  return (is_switch(from) ? 0 : 1) + (is_switch(to) ? 0 : 1) + mesh_.distance(number(from), number(to));
}

std::int32_t ConcentratedMesh::diameter() const { return processors() == 1 ? 0 : 2 + mesh_.diameter(); }

NetworkSize concentrated_mesh_size(const std::vector<std::int64_t>& shape, std::int64_t concentration) {
  double switches = 1, mesh_links = 0;
  for (const std::int64_t side : shape) {
    const auto n = static_cast<double>(side);
    mesh_links = mesh_links * n + 2 * (n - 1) * switches;
    switches *= n;
  }
  const auto c = static_cast<double>(concentration);
  return {switches * (c + 1), mesh_links + switches * 2 * c};
}

NetworkGraph make_concentrated_mesh(const ConcentratedMesh& concentrated, std::int32_t link_latency) {
  const Grid& mesh = concentrated.mesh();
  const std::int32_t c = concentrated.concentration();
  NetworkGraphBuilder builder;
  builder.expect(concentrated.nodes(), concentrated.ports());
  std::vector<std::string> names;
  for (Port port = 0; port < mesh.ports(); ++port) names.push_back(mesh.port_name(port));
  for (std::int32_t j = 0; j < c; ++j) names.push_back("terminal" + index_text(j, c));
  const PortNaming one_port = builder.name_ports({"switch"});
  const PortNaming of_switches = builder.name_ports(names);

  // Processors are drawn on a quarter circle, to the right of their switch and below it, where the mesh has no link.
  const double radius = std::max(1.0, circle_radius(4 * c, 0.8)), pitch = radius + 0.9;
  const GridPositions positions(mesh);
  const auto switch_position = [&](NodeId number) {
    const PaperPosition position = positions.position(number);
    return PaperPosition{position.x * pitch, position.y * pitch};
  };
  for (NodeId node = 0; node < concentrated.processors(); ++node) {
    const std::int32_t j = node % c;
    const NodeId number = concentrated.number(node);
    builder.add_node(NodeRole::processor, renamed("proc", mesh.node_name(number)) + "_p" + padded(j, c),
                     on_circle(switch_position(number), radius, 0.25 + 0.25 * (j + 0.5) / c), one_port);
  }
  for (NodeId number = 0; number < mesh.nodes(); ++number)
    builder.add_node(NodeRole::switch_node, renamed("switch", mesh.node_name(number)), switch_position(number),
                     of_switches);

  for (NodeId node = 0; node < concentrated.processors(); ++node) {
    const LinkEnd own{node, 0}, at{concentrated.switch_at(concentrated.number(node)), concentrated.terminal_port(node)};
    builder.add_link(own, at, {link_latency});
    builder.add_link(at, own, {link_latency});
  }
  for (NodeId number = 0; number < mesh.nodes(); ++number)
    for (Port port = 0; port < mesh.ports(); ++port) {
      const NodeId next = mesh.neighbour(number, port);
      if (next != no_node)
        builder.add_link({concentrated.switch_at(number), port}, {concentrated.switch_at(next), mesh.reverse(port)},
                         {link_latency});
    }
  std::vector<std::int64_t> shape = mesh.shape();
  shape[static_cast<std::size_t>(mesh.route_axes().front())] *= c;
  builder.set_arrangement(Grid::mesh(shape));
  builder.set_distance([concentrated](NodeId from, NodeId to) { return concentrated.distance(from, to); },
                       concentrated.diameter());
  return builder.build();
}

}  // namespace starloom

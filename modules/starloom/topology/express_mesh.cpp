// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/express_mesh.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {
namespace {

std::string shape_text(std::int64_t rows, std::int64_t columns) {
  return "[" + std::to_string(rows) + ", " + std::to_string(columns) + "]";
}

/// Throws before anything is allocated.
Grid checked_mesh(std::int64_t rows, std::int64_t columns, std::int64_t skip) {
  const std::string shape = shape_text(rows, columns);
  if (rows < 1 || columns < 1) throw InputError("an express mesh has sides of at least 1, not " + shape);
  if (!NetworkGraph::has_room(express_mesh_size(rows, columns, skip).nodes, ExpressMesh::ports))
    throw InputError("an express mesh has fewer than 2^28 nodes, not " + shape);
  if (const std::string error = express_skip_error(rows, columns, skip); !error.empty()) throw InputError(error);
  return Grid::mesh({rows, columns});
}

}  // namespace

ExpressMesh::ExpressMesh(std::int64_t rows, std::int64_t columns, std::int64_t skip)
    : mesh_(checked_mesh(rows, columns, skip)), skip_(static_cast<std::int32_t>(skip)) {}

NetworkSize ExpressMesh::size() const { return express_mesh_size(mesh_.side(0), mesh_.side(1), skip_); }

NodeId ExpressMesh::neighbour(NodeId node, Port port) const {
  if (port < mesh_.ports()) return mesh_.neighbour(node, port);
  const Port along = port - mesh_.ports();
  const int axis = mesh_.axis_of(along);
  const std::int32_t step = mesh_.sign_of(along) * skip_;
  const std::int32_t at = mesh_.coordinate(node, axis) + step;
  if (at < 0 || at >= mesh_.side(axis)) return no_node;
  return node + step * (axis == 0 ? mesh_.side(1) : 1);
}

/// A path of j express links and single ones has j + |offset - j*skip| links, which is least for one of the two j
/// next to offset/skip. The greater j overshoots, yet needs no nodes beyond the ends: if one of its express links
/// ends between them, single links go back after the first one; otherwise an express link leads from the beginning of
/// the line to the end of the path or beyond it, if the line has an express link.
std::int32_t ExpressMesh::line_distance(std::int32_t offset, std::int32_t side) const {
  const std::int32_t length = std::abs(offset);
  if (side <= skip_) return length;
  const std::int32_t whole = length / skip_, rest = length % skip_;
  return whole + std::min(rest, 1 + skip_ - rest);
}

std::int32_t ExpressMesh::distance(NodeId from, NodeId to) const {
  return line_distance(mesh_.offset(from, to, 0), mesh_.side(0)) +
         line_distance(mesh_.offset(from, to, 1), mesh_.side(1));
}

std::int32_t ExpressMesh::diameter() const {
  std::int32_t sum = 0;
  for (const int axis : {0, 1}) {
    std::int32_t greatest = 0;
    for (std::int32_t offset = 0; offset < mesh_.side(axis); ++offset)
      greatest = std::max(greatest, line_distance(offset, mesh_.side(axis)));
    sum += greatest;
  }
  return sum;
}

std::string express_skip_error(std::int64_t rows, std::int64_t columns, std::int64_t skip) {
  const std::int64_t longest = std::max(rows, columns) - 1;
  const std::string shape = shape_text(rows, columns);
  if (longest < 2) return "an express mesh needs a side of at least 3 nodes for a skip of 2; " + shape + " has none";
  if (skip >= 2 && skip <= longest) return "";
  return "a skip of " + std::to_string(skip) + " gives no express link in a mesh " + shape + "; skip can be 2 to " +
         std::to_string(longest);
}

NetworkSize express_mesh_size(std::int64_t rows, std::int64_t columns, std::int64_t skip) {
  const auto lines = [](std::int64_t count, std::int64_t side, std::int64_t length) {
    return static_cast<double>(count) * std::max(0.0, static_cast<double>(side) - static_cast<double>(length));
  };
  const double one_way =
      lines(rows, columns, 1) + lines(columns, rows, 1) + lines(rows, columns, skip) + lines(columns, rows, skip);
  return {static_cast<double>(rows) * static_cast<double>(columns), 2 * one_way};
}

NetworkGraph make_express_mesh(const ExpressMesh& express, std::int32_t link_latency) {
  const Grid& mesh = express.mesh();
  NetworkGraphBuilder builder;
  builder.expect(mesh.nodes(), ExpressMesh::ports);
  std::vector<std::string> names;
  for (const char* kind : {"", "express_"})
    for (Port port = 0; port < mesh.ports(); ++port) names.push_back(kind + mesh.port_name(port));
  const PortNaming ports = builder.name_ports(names);
  const GridPositions positions(mesh);
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    builder.add_node(NodeRole::processor, mesh.node_name(node), positions.position(node), ports);
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    for (Port port = 0; port < ExpressMesh::ports; ++port) {
      const NodeId next = express.neighbour(node, port);
      if (next != no_node) builder.add_link({node, port}, {next, ExpressMesh::reverse(port)}, {link_latency});
    }
  builder.set_arrangement(mesh);
  builder.set_distance([express](NodeId from, NodeId to) { return express.distance(from, to); }, express.diameter());
  return builder.build();
}

}  // namespace starloom

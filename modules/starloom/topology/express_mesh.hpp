// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Two-dimensional meshes with express links.
#include <cstdint>
#include <string>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A mesh of rows and columns in which every node also has links, both ways, to the nodes `skip` rows and columns
/// away, where they exist (Dally, "Express cubes", 1991, with the nodes themselves as interchanges).
///
/// Nodes, coordinates and ports 0..3 (N, E, S, W) are those of the mesh; ports 4..7 are express N, E, S, W. In-port q
/// faces the same neighbour as out-port q. Arithmetic, no tables.
class ExpressMesh {
 public:
  static constexpr int ports = 8;

  /// \throws InputError if a side is below 1, the skip below 2 or too long for any express link, or there are more
  /// nodes than a graph can number.
  ExpressMesh(std::int64_t rows, std::int64_t columns, std::int64_t skip);

  /// The mesh without its express links.
  const Grid& mesh() const { return mesh_; }
  std::int32_t skip() const { return skip_; }
  NetworkSize size() const;

  /// The express port of the same direction as a port of the mesh.
  static Port express(Port mesh_port) { return mesh_port + 4; }
  /// The in-port that is entered by a link from out-port `port`.
  static Port reverse(Port port) { return port ^ 2; }
  /// The node behind out-port `port`, or `no_node`.
  NodeId neighbour(NodeId node, Port port) const;

  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const;

 private:
  std::int32_t line_distance(std::int32_t offset, std::int32_t side) const;

  Grid mesh_;
  std::int32_t skip_;
};

/// The reason why no link of a mesh can skip this number of nodes; empty if one can.
std::string express_skip_error(std::int64_t rows, std::int64_t columns, std::int64_t skip);

/// `ExpressMesh(rows, columns, skip).size()` for any numbers, without the limits of the constructor.
NetworkSize express_mesh_size(std::int64_t rows, std::int64_t columns, std::int64_t skip);

/// Names and positions are those of the mesh, express links are `link_r03_c07_express_east`; the arrangement is the
/// mesh.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_express_mesh(const ExpressMesh& express, std::int32_t link_latency = 1);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Meshes with several processors at each switch.
#include <cstdint>
#include <vector>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A mesh of switches with c processors at each of them (Balfour, Dally, "Design tradeoffs for tiled CMP on-chip
/// networks", 2006, without its express links). c is the concentration. Arithmetic, no tables.
///
/// Numbers. With s switches, processor j of switch w is node w*c + j, and switch w, numbered as the node of the mesh,
/// is node s*c + w.
///
/// Ports of a switch: those of the mesh, then `terminal0`, ... to its processors. In-port q faces the same neighbour
/// as out-port q. A processor has one port, to its switch.
class ConcentratedMesh {
 public:
  /// \throws InputError if the shape is not that of a mesh, the concentration is below 1, a switch has more ports
  /// than a node can have, or there are more nodes than a graph can number.
  ConcentratedMesh(const std::vector<std::int64_t>& shape, std::int64_t concentration);

  /// The mesh of the switches: its node w is switch w.
  const Grid& mesh() const { return mesh_; }
  std::int32_t concentration() const { return concentration_; }
  NodeId processors() const { return mesh_.nodes() * concentration_; }
  NodeId nodes() const { return processors() + mesh_.nodes(); }
  int ports() const { return mesh_.ports() + concentration_; }
  NetworkSize size() const;

  bool is_switch(NodeId node) const { return node >= processors(); }
  NodeId switch_at(NodeId number) const { return processors() + number; }
  /// The number in the mesh of a switch, or of the switch of a processor.
  NodeId number(NodeId node) const { return is_switch(node) ? node - processors() : node / concentration_; }
  /// The out-port to a processor, at its switch.
  Port terminal_port(NodeId processor) const { return mesh_.ports() + processor % concentration_; }

  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const;

 private:
  Grid mesh_;
  std::int32_t concentration_;
};

/// `ConcentratedMesh(shape, concentration).size()` for any numbers, without the limits of the constructor.
NetworkSize concentrated_mesh_size(const std::vector<std::int64_t>& shape, std::int64_t concentration);

/// Names `switch_r03_c07`, `proc_r03_c07_p01`, `link_switch_r03_c07_east`, and as grids have them in other
/// dimensions. The arrangement is a mesh of the processors: it has c times as many columns (in other dimensions: c
/// times as many along dimension 1), and the processors of a switch are neighbours in it.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_concentrated_mesh(const ConcentratedMesh& concentrated, std::int32_t link_latency = 1);

}  // namespace starloom

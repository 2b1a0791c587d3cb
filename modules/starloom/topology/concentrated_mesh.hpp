// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Meshes with several processors at each switch.
#include <cstdint>
#include <vector>

#include <starloom/topology/concentrated_switches.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A mesh of switches with c processors at each of them (Balfour, Dally, "Design tradeoffs for tiled CMP on-chip
/// networks", 2006, without its express links).
///
/// Ports of a switch: those of the mesh, then those to its processors. In-port q faces the same neighbour as out-port
/// q.
class ConcentratedMesh : public ConcentratedSwitches {
 public:
  /// \throws InputError if the shape is not that of a mesh, the concentration is below 1, a switch has more ports
  /// than a node can have, or there are more nodes than a graph can number.
  ConcentratedMesh(const std::vector<std::int64_t>& shape, std::int64_t concentration);

  NetworkSize size() const;
  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const;
};

/// `ConcentratedMesh(shape, concentration).size()` for any numbers, without the limits of the constructor.
NetworkSize concentrated_mesh_size(const std::vector<std::int64_t>& shape, std::int64_t concentration);

/// Names and arrangement as in `with_switches_and_processors`, and `link_switch_r03_c07_east`.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_concentrated_mesh(const ConcentratedMesh& concentrated, std::int32_t link_latency = 1);

}  // namespace starloom

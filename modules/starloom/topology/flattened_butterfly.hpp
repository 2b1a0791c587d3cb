// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Flattened butterflies.
#include <cstdint>
#include <vector>

#include <starloom/topology/concentrated_switches.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A flattened butterfly (Kim, Dally, Abts, "Flattened butterfly: a cost-efficient topology for high-radix networks",
/// 2007): switches with the coordinates of a mesh, links between all that differ in one coordinate only, and c
/// processors at each switch.
///
/// Ports of a switch: along one dimension after the other, in the order of dimension-order routing, those to the other
/// switches by their coordinate there, without its own; then those to its processors. In-port q faces the same
/// neighbour as out-port q.
class FlattenedButterfly : public ConcentratedSwitches {
 public:
  /// \throws InputError if the shape is not that of a mesh, the concentration is below 1, a switch has more ports
  /// than a node can have, or there are more nodes than a graph can number.
  FlattenedButterfly(const std::vector<std::int64_t>& shape, std::int64_t concentration);

  NetworkSize size() const;
  /// The out-port of a switch to the one with another coordinate on an axis of the mesh. \param number of the switch.
  Port port_to(NodeId number, int axis, std::int32_t coordinate) const {
    return first_port_[static_cast<std::size_t>(axis)] + coordinate -
           (coordinate > mesh().coordinate(number, axis) ? 1 : 0);
  }
  /// The out-port of a switch towards another one in dimension order; no_port for itself. \param from, to numbers.
  Port dimension_order_port(NodeId from, NodeId to) const;
  /// Links on a shortest path between two switches: the number of coordinates in which they differ.
  std::int32_t switch_distance(NodeId from, NodeId to) const;

  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const;

 private:
  std::vector<Port> first_port_;  ///< [axis]
};

/// `FlattenedButterfly(shape, concentration).size()` for any numbers, without the limits of the constructor.
NetworkSize flattened_butterfly_size(const std::vector<std::int64_t>& shape, std::int64_t concentration);

/// Names and arrangement as in `with_switches_and_processors`. Ports along a row are `row0`, `row1`, ..., those along
/// a column `column0`, ...; in other dimensions those along dimension 1 are `dimension1_0`, ...
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_flattened_butterfly(const FlattenedButterfly& butterfly, std::int32_t link_latency = 1);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A user's topology: rings with a link across for every processor.
#include <starloom/topology/topology_entry.hpp>

namespace own {

/// An even number of processors in a ring, clockwise, each also joined to the one opposite (Coppola, Locatelli,
/// Maruccia, Pieralisi and Scandurra 2004, "Spidergon: a novel on-chip communication network").
///
/// In-port q faces the same neighbour as out-port q. Arithmetic, no tables.
class Spidergon {
 public:
  static constexpr starloom::Port clockwise = 0, across = 1, anticlockwise = 2;
  static constexpr int ports = 3;

  /// \throws starloom::ConfigError if the number is odd or below 4.
  explicit Spidergon(std::int64_t nodes);

  starloom::NodeId nodes() const { return nodes_; }
  starloom::NodeId half() const { return nodes_ / 2; }
  starloom::NodeId neighbour(starloom::NodeId node, starloom::Port port) const;
  /// Links along the ring, -half < offset <= half; clockwise is positive.
  std::int32_t offset(starloom::NodeId from, starloom::NodeId to) const;
  std::int32_t distance(starloom::NodeId from, starloom::NodeId to) const;
  std::int32_t diameter() const { return (half() + 1) / 2; }

 private:
  starloom::NodeId nodes_;
};

starloom::TopologyEntry spidergon_entry();

}  // namespace own

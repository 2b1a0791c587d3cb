// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Hypercubes.
#include <cstdint>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A binary cube of d dimensions (Seitz, "The cosmic cube", 1985): 2^d processors, and a link each way between those
/// with numbers that differ in one bit.
///
/// Node i is processor i. Port b (`bit0`, `bit1`, ...) leads to the node with bit b inverted; in-port q faces the
/// same neighbour as out-port q. Arithmetic, no tables.
class Hypercube {
 public:
  static constexpr std::int64_t most_dimensions = 26;

  /// \throws InputError if the dimensions are not 1 to 26: a graph cannot number more nodes.
  explicit Hypercube(std::int64_t dimensions);

  int dimensions() const { return dimensions_; }
  NodeId nodes() const { return NodeId{1} << dimensions_; }
  NetworkSize size() const;

  static NodeId neighbour(NodeId node, Port port) { return node ^ (NodeId{1} << port); }
  /// The bits that differ: a set of ports, each of which is on a shortest path.
  static PortMask differing(NodeId from, NodeId to) { return static_cast<PortMask>(from ^ to); }
  static std::int32_t distance(NodeId from, NodeId to) { return __builtin_popcount(differing(from, to)); }

 private:
  int dimensions_;
};

/// `Hypercube(dimensions).size()` for any number, without the limit of the constructor.
NetworkSize hypercube_size(std::int64_t dimensions);

/// Names `node_0101`, bit 0 last, and `link_0101_bit2`. The arrangement is a mesh of sides of 2 with the bits as
/// coordinates; ports are those above, not those of the mesh. With more than 16 dimensions there is no arrangement.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_hypercube(const Hypercube& cube, std::int32_t link_latency = 1);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rings.
#include <cstdint>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A ring: each processor has a link to the next one and to the previous one. Its arithmetic is that of a torus of
/// one dimension (Dally, Towles, "Principles and Practices of Interconnection Networks", 2004, 5.1: a k-ary 1-cube);
/// it has names of its own, and is drawn as a circle.
///
/// Node i is processor i. Port 0 (`plus`) leads to node i + 1, port 1 (`minus`) to node i - 1, both modulo the number
/// of nodes; in-port q faces the same neighbour as out-port q. A ring of 2 has two links each way.
class Ring {
 public:
  static constexpr int ports = 2;

  /// \throws InputError if there are fewer than 2 nodes, or more than a graph can number.
  explicit Ring(std::int64_t nodes);

  NodeId nodes() const { return torus_.nodes(); }
  NetworkSize size() const;
  /// Neighbours, ports, offsets and distances.
  const Grid& torus() const { return torus_; }

 private:
  Grid torus_;
};

/// `Ring(nodes).size()` for any number, without the limits of the constructor.
NetworkSize ring_size(std::int64_t nodes);

/// Names `node_05`, `link_05_plus`; the arrangement is the torus of one dimension.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_ring(const Ring& ring, std::int32_t link_latency = 1);

}  // namespace starloom

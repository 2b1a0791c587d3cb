// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permutations as lists of packets.
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/core/random.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom {

/// One packet per node, all created in step 0: node i sends to destinations[i].
inline std::vector<Packet> permutation_packets(const std::vector<NodeId>& destinations, std::int32_t flits = 1) {
  std::vector<Packet> packets;
  for (std::size_t i = 0; i < destinations.size(); ++i)
    packets.push_back({static_cast<NodeId>(i), destinations[i], flits, 0});
  return packets;
}

inline std::vector<NodeId> identity_permutation(NodeId nodes) {
  std::vector<NodeId> destinations(static_cast<std::size_t>(nodes));
  std::iota(destinations.begin(), destinations.end(), 0);
  return destinations;
}

/// Puts values into another order, the same with every library.
template <class T>
void shuffle_values(std::vector<T>& values, std::mt19937& random) {
  for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random() % left]);
}

/// The pattern `random-permutation` (docs/model.md, "Randomness").
inline std::vector<NodeId> random_permutation(NodeId nodes, std::uint64_t seed) {
  std::vector<NodeId> destinations = identity_permutation(nodes);
  for (NodeId j = nodes - 1; j > 0; --j) {
    RandomStream random(seed, Purpose::permutation, j, 0);
    std::swap(destinations[static_cast<std::size_t>(j)],
              destinations[random.bounded(static_cast<std::uint32_t>(j) + 1)]);
  }
  return destinations;
}

/// A permutation of a mesh of rows and columns in which no packet goes farther than `distance`, after many exchanges
/// that preserve this.
inline std::vector<NodeId> near_permutation(const Grid& mesh, std::int32_t distance, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto any = [&random](std::int32_t below) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(below));
  };
  std::vector<NodeId> destinations = identity_permutation(mesh.nodes());
  for (NodeId i = 0; i < 60 * mesh.nodes(); ++i) {
    const NodeId a = any(mesh.nodes());
    const std::int32_t row = mesh.coordinate(a, 0) + any(4 * distance + 1) - 2 * distance;
    const std::int32_t column = mesh.coordinate(a, 1) + any(4 * distance + 1) - 2 * distance;
    if (row < 0 || row >= mesh.side(0) || column < 0 || column >= mesh.side(1)) continue;
    const NodeId b = row * mesh.side(1) + column;
    NodeId& of_a = destinations[static_cast<std::size_t>(a)];
    NodeId& of_b = destinations[static_cast<std::size_t>(b)];
    if (mesh.distance(a, of_b) <= distance && mesh.distance(b, of_a) <= distance) std::swap(of_a, of_b);
  }
  return destinations;
}

}  // namespace starloom

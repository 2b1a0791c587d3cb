#pragma once
/// \file Permutations as lists of packets.
#include <numeric>
#include <utility>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/core/random.hpp>

namespace starloom {

/// One packet a node, all created in step 0: node i sends to destinations[i].
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

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offline routing of a permutation on a POPS network: each packet takes one relay, in one of a few rounds.
#include <cstdint>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// A round has two slots, source to relay and relay to destination; with one processor per group, the only round has
/// one slot and no relays. No coupler is driven twice in a slot, no processor samples or relays twice in a round.
struct Plan {
  std::int32_t rounds = 0;
  std::int32_t slots_per_round = 2;
  std::vector<std::int32_t> round;  ///< [source]
  std::vector<NodeId> relay;        ///< [source]; no_node without relays, and for a source without a packet

  std::int64_t slots() const { return std::int64_t{rounds} * slots_per_round; }
};

/// 1 slot if d = 1, else 2 * ceil(d / g), for every permutation and all sizes: Mei and Rizzi, "Routing permutations
/// in partitioned optical passive star networks" (J. Parallel Distrib. Comput. 63, 2003), by edge colouring of the
/// demand graph of groups. `destination[i]` is the destination of processor i's packet, `no_node` if it has none.
Plan plan_permutation(const Pops& pops, const std::vector<NodeId>& destination);

}  // namespace starloom::pops

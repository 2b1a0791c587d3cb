// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The permutation that defeats given random choices of a two-hops algorithm on POPS networks: a lower bound as
/// a construction (docs/adversaries.md).
#include <cstdint>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// [cycle][node]: the group to which a processor sends its packet in slot 2 * cycle, as long as it has it.
using TwoHopsTable = std::vector<std::vector<std::int32_t>>;

/// A packet that succeeds in none of the cycles before `cycles`.
struct Starved {
  std::vector<NodeId> destination;  ///< a full permutation
  NodeId source = no_node;          ///< of the packet
  std::int64_t cycles = 0;
};

/// Attacks two-hops algorithms (Mei and Rizzi, "Online permutation routing ..", theorem II.12, d = g). In the even
/// slots, counted from 0, processors send by the table, and processor x of every group listens to group x; in the odd
/// slots every processor that heard a packet sends it to the group of its destination. A packet is delivered, and all
/// its copies are removed, when it reaches that group. Returns the permutation that blocks a packet for as many
/// cycles as the construction finds, at most the length of the table.
///
/// All packets of the construction have destinations in one group and come from processors that never send there. A
/// second packet with the same relaying group blocks the first one in the last cycle, and has therefore to be blocked
/// itself in the cycles before, and so on. The paper takes any second packet; but it must reach the relaying group or
/// fail together with the first one: either both come from the same group, or no other processor of its group sends
/// there in that cycle. The paper takes a new packet each time, hence log2 g cycles; this construction uses existing
/// packets first, which gives more.
/// \throws std::invalid_argument unless d = g and every row of the table has a group for each processor.
Starved starved_permutation(const Pops& pops, const TwoHopsTable& sends);

}  // namespace starloom::pops

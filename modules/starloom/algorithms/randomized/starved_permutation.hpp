// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The permutation that defeats given draws of a two-hops algorithm on POPS networks: a lower bound as a
/// construction (docs/adversaries.md).
#include <cstdint>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// [cycle][node]: the group to which a processor sends its packet in slot 2 * cycle, as long as it has it.
using TwoHopsTable = std::vector<std::vector<std::int32_t>>;

/// A packet that comes through in none of the cycles before `cycles`.
struct Starved {
  std::vector<NodeId> destination;  ///< a full permutation
  NodeId source = no_node;          ///< of the packet
  std::int64_t cycles = 0;
};

/// Against two-hops algorithms (Mei and Rizzi, "Online permutation routing ..", theorem II.12, d = g). In the even
/// slots, counted from 0, processors send by the table, and processor x of every group listens to group x; in the odd
/// slots a processor that heard a packet sends it to the group of its destination. A packet is delivered, and gone
/// everywhere, when it reaches that group. The permutation that keeps a packet back for as many cycles as the
/// construction finds, the length of the table at most.
///
/// All packets of the construction have destinations in one group and come from processors that never send there. A
/// second packet with the same relaying group keeps the first one back in the last cycle, and for that it has to be
/// kept back itself in the cycles before, and so on. The paper takes any second packet; but it must get to the
/// relaying group or fail together with the first one: either both come from the same group, or no other processor of
/// its group sends there in that cycle. The paper takes a new packet each time, hence log2 g cycles; here packets
/// that are there already serve first, which gives more.
/// \throws std::invalid_argument unless d = g and every row of the table has a group for each processor.
Starved starved_permutation(const Pops& pops, const TwoHopsTable& sends);

}  // namespace starloom::pops

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permutations that defeat a given way of routing on POPS networks: the paper's lower bounds as constructions.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// A place through which at most one packet passes in a slot: a coupler (its number), or a processor (couplers +
/// number).
using PlanPlace = std::int64_t;
/// The places of the path from a source to a destination, the source left out, the destination included.
using ObliviousPath = std::function<std::vector<PlanPlace>(NodeId source, NodeId destination)>;

struct Congestion {
  std::vector<NodeId> destination;  ///< a full permutation
  PlanPlace place = 0;              ///< where its paths meet
  std::int64_t packets = 0;         ///< how many of them: no routing along these paths takes fewer slots
};

/// Against oblivious algorithms, whose paths depend on source and destination alone (Mei and Rizzi, "Online permutation
/// routing ..", theorem II.5: some permutation needs sqrt(g)/2 slots for d = g). Of the `candidates` places on most
/// paths, the one through which a permutation can send most packets: a maximum matching of the pairs whose path leads
/// there. Looks at all n^2 paths; 8 bytes of memory each while a candidate is tried.
Congestion congested_permutation(const Pops& pops, const ObliviousPath& path, int candidates = 16);

/// Who hears whom, whatever the packets: the processor whose message processor `node` hears in a slot, or no_node.
using HearingPattern = std::function<NodeId(NodeId node, std::int64_t slot)>;

/// Against rigid algorithms, whose processors hear others by a fixed pattern (theorem II.8: at least log2 n slots): a
/// permutation with a packet that cannot have reached its destination after `slots` slots, or nothing if every
/// processor can have heard of every other. n^2 bits.
struct Unreached {
  std::vector<NodeId> destination;  ///< a full permutation
  NodeId source = no_node;          ///< of the packet that is late
};
std::optional<Unreached> unreached_permutation(NodeId nodes, const HearingPattern& hears, std::int64_t slots);

/// [cycle][node]: the group to which a processor sends its packet in slot 2 * cycle, as long as it has it.
using TwoHopsTable = std::vector<std::vector<std::int32_t>>;

/// A packet that comes through in none of the cycles before `cycles`.
struct Starved {
  std::vector<NodeId> destination;  ///< a full permutation
  NodeId source = no_node;          ///< of the packet
  std::int64_t cycles = 0;
};

/// Against two-hops algorithms (theorem II.12, d = g). In the even slots, counted from 0, processors send by the
/// table, and processor x of every group listens to group x; in the odd slots whoever heard a packet sends it to the
/// group of its destination. A packet is delivered, and gone everywhere, when it reaches that group. The permutation
/// that keeps a packet back for as many cycles as the construction finds, the length of the table at most.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The decision that command processors and centre of a supernode compute in a superstep, each by itself and
/// all with the same result, from the same notes (Roberts and Symvonis 1994, section 3.3, "Output Selection Phase").
#include <array>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>

namespace starloom::links {

/// The worms that leave, the slots that the rings exchange, and the slots of worms that will arrive.
struct SuperstepDecision {
  std::vector<Port> leaves;  ///< [slot] after the exchange: the port of the supernode, or no_port
  std::vector<char> swaps;   ///< [slot] both rings exchange their worms of this slot
  std::array<std::int32_t, 4>
      slot{};                ///< [buffer] for the worm received there: S and E in the left ring, W and N in the right
  std::int32_t kept = 0;     ///< worms that stay
  std::int32_t swapped = 0;  ///< exchanged slots

  explicit SuperstepDecision(std::int32_t slots = 0);
};

/// Decides. Each ring keeps at least two slots that are free or will be, by exchanging slots between the rings if the
/// other one has more: possible while `kept` is at most the number of all slots less four. `notes` is updated.
/// `balance`: false in tests only, which show its effect.
void decide(const SupernodeRouter& router, SupernodePosition here, std::int32_t superstep, bool balance,
            SupernodeNotes& notes, SuperstepDecision& decision);

/// The buffer that takes in worms in this direction, by the port through which it sends.
inline constexpr Port receiving_buffer(Port heading) { return (heading + 1) % 4; }
/// The ring into which a buffer inserts its worm: 0 left, 1 right.
inline constexpr std::int32_t ring_of_buffer(Port buffer) { return buffer == 1 || buffer == 2 ? 0 : 1; }
/// The slot for the worm of a buffer in a supernode without stored worms.
inline constexpr std::int32_t first_slot(Port buffer) { return buffer == 1 || buffer == 0 ? 1 : 0; }

}  // namespace starloom::links

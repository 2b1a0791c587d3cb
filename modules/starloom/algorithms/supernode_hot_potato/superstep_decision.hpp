// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What command processors and centre of a supernode compute in a superstep, each for itself and all of them
/// alike, from the same notes (Roberts and Symvonis 1994, section 3.3, "Output Selection Phase").
#include <array>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>

namespace starloom::links {

/// Who leaves, which slots of the rings change places, and where worms that arrive will be stored.
struct SuperstepDecision {
  std::vector<Port> leaves;  ///< [place] after the exchange: the port of the supernode, or no_port
  std::vector<char> swaps;   ///< [slot] both rings exchange what they have there
  std::array<std::int32_t, 4>
      slot{};                ///< [buffer] for the worm received there: S and E in the left ring, W and N in the right
  std::int32_t kept = 0;     ///< worms that stay
  std::int32_t swapped = 0;  ///< slots that change places

  explicit SuperstepDecision(std::int32_t slots = 0);
};

/// Decides. Each ring is left with two places at least that are free or will be, by exchanging slots of the rings
/// where the other one has a place: possible while `kept` is at most all places less four. `notes` is changed along.
/// `balance`: false in tests only, which show what that is for.
void decide(const SupernodeRouter& router, SupernodePlace here, std::int32_t superstep, bool balance,
            SupernodeNotes& notes, SuperstepDecision& decision);

/// The buffer that takes in worms heading that way, by the port through which it sends.
inline constexpr Port receiving_buffer(Port heading) { return (heading + 1) % 4; }
/// The ring into which a buffer puts what it received: 0 left, 1 right.
inline constexpr std::int32_t ring_of_buffer(Port buffer) { return buffer == 1 || buffer == 2 ? 0 : 1; }
/// The slot for the worm of a buffer in a supernode that stores nothing.
inline constexpr std::int32_t first_slot(Port buffer) { return buffer == 1 || buffer == 0 ? 1 : 0; }

}  // namespace starloom::links

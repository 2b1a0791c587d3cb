// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The direction of packets with a destination half a ring away.
#include <string>
#include <vector>

#include <starloom/schema/keys.hpp>

namespace starloom::routing {

/// On a ring of an even number of nodes, the distance to the node half a ring away is the same in both directions.
enum class RingTieBreak {
  positive,  ///< all in + direction; these links saturate first
  balanced,  ///< from even coordinates in + direction, from odd ones in - direction
  random,    ///< each packet chooses at its source, for every dimension
};
inline const std::vector<std::string> ring_tie_break_names = {"positive", "balanced", "random"};

/// The key of functions that route in dimension order.
inline KeySpec ring_tie_break_key() {
  return choice_key(
             "ties", ring_tie_break_names,
             "dimension order on rings with an even number of nodes: direction of packets whose destination is exactly "
             "half a ring away: + (positive), - from odd coordinates (balanced), or random for each packet")
      .by_default(ring_tie_break_names.front());
}
inline RingTieBreak ring_tie_break_of(const KeyValues& keys) {
  if (!keys.has("ties")) return RingTieBreak::positive;
  std::size_t at = 0;
  while (ring_tie_break_names[at] != keys.text("ties")) ++at;
  return static_cast<RingTieBreak>(at);
}

}  // namespace starloom::routing

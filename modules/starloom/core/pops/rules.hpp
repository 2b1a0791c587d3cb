// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the protocol of an algorithm of POPS networks promises, as far as it shows in the rows of a trace.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/message.hpp>

namespace starloom::pops {

/// Beside the rules of couplers, which hold for all.
struct Rules {
  /// Who is to have a packet in the end, and from when on.
  enum class Arrival {
    heard,       ///< its destination, once it hears it in a slot that delivers
    everywhere,  ///< all processors; the program has a slot for each packet
    sorted,      ///< its destination, when the program is over; until then packets change hands
    summed       ///< its destination, as a part of a sum: packet p is the value of processor p, added up on the way
  };
  struct Slot {
    MessageKind kind = MessageKind::data;
    bool delivers = true;  ///< destinations take their packets; else who hears a packet passes it on
    bool may_collide = false;
  };

  Arrival arrival = Arrival::heard;
  std::vector<Slot> cycle = {Slot()};  ///< [slot of the cycle]
  bool acknowledged = false;  ///< a source keeps its packet until it is acknowledged; else it leaves when driven
  bool observed = false;      ///< cycles end once the sources are free of their packets (all delivered, without drain)
  Step drain_slots = 0;       ///< slots after the last cycle; they deliver
  Step slots = no_step;       ///< the program ends before this slot; no_step: not fixed
};

/// A protocol that promises nothing: what couplers do is all that binds it.
inline Rules couplers_alone() {
  Rules rules;
  rules.cycle = {{MessageKind::data, true, true}};
  return rules;
}

}  // namespace starloom::pops

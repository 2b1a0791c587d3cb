// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of the protocol of an algorithm of POPS networks that can be checked in the rows of a trace.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/message.hpp>

namespace starloom::pops {

/// Rules of one protocol. The rules of couplers hold for all protocols.
struct Rules {
  /// The processors that have a packet at the end, and the time from which they have it.
  enum class Arrival {
    heard,       ///< its destination, from the first slot that delivers in which it hears the packet
    everywhere,  ///< all processors; the program has a slot for each packet
    sorted,      ///< its destination, when the program is over; until then processors exchange packets
    summed       ///< its destination, as a part of a sum: packet p is the value of processor p, added on the way
  };
  struct Slot {
    MessageKind kind = MessageKind::data;
    bool delivers = true;  ///< destinations take their packets; else each processor that hears a packet passes it on
    bool may_collide = false;
  };

  Arrival arrival = Arrival::heard;
  std::vector<Slot> cycle = {Slot()};  ///< [slot of the cycle]
  bool acknowledged = false;  ///< a source keeps its packet until it is acknowledged; else until the source drives it
  bool observed = false;      ///< cycles end when no source holds its packet (all delivered, without drain)
  Step drain_slots = 0;       ///< slots after the last cycle; they deliver
  Step slots = no_step;       ///< the program ends before this slot; no_step: not fixed
};

/// A protocol without rules of its own: only the rules of couplers are checked.
inline Rules couplers_alone() {
  Rules rules;
  rules.cycle = {{MessageKind::data, true, true}};
  return rules;
}

}  // namespace starloom::pops

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The steps of flits and credits on a link between nodes of different clocks (docs/clocks.md).
#include <cstdint>
#include <string>

#include <starloom/core/ids.hpp>

namespace starloom {

/// The first step at or after this one that is a multiple of the period of a clock.
constexpr Step edge_from(Step step, Step period) { return (step + period - 1) / period * period; }

struct NetworkClock {
  std::string name;
  std::int32_t period = 1;  ///< steps of a cycle
};

/// A flit that leaves a link is in a FIFO until the receiver reads it, at an edge of its own clock. The pointers of the
/// FIFO pass a synchroniser in both directions.
struct ClockCrossing {
  std::int32_t sender = 1;        ///< steps of a cycle of the clock of the node where the link begins
  std::int32_t receiver = 1;      ///< the same of the node where it ends
  std::int32_t synchroniser = 0;  ///< cycles of the clock that a word passes to
  std::int32_t fifo = 0;  ///< flits in the FIFO, and on their way to it, with which the sender waits; 0: no limit

  /// Cycles of a synchroniser that nothing else is said about: none between clocks with a fixed phase.
  static constexpr std::int32_t usual_synchroniser(std::int32_t sender, std::int32_t receiver) {
    return sender % receiver == 0 || receiver % sender == 0 ? 0 : 2;
  }
  /// True if flits are readable in the step in which they leave the link.
  bool is_direct() const { return sender == receiver && synchroniser == 0 && fifo == 0; }
  /// The step in which a flit that leaves the link in this one is readable, if the FIFO is empty.
  Step readable(Step arrival) const { return edge_from(arrival, receiver) + Step{synchroniser} * receiver; }
  /// The step in which a credit that reaches the sender in this one is available.
  Step available(Step arrival) const { return edge_from(arrival, sender) + Step{synchroniser} * sender; }
};

}  // namespace starloom

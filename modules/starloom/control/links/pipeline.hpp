// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The stages of the router in front of its switch.
#include <cstdint>
#include <optional>

namespace starloom::router {

/// What a head does before it wins the switch. A hop takes as many cycles as the pipeline is long, a link of latency 1
/// included.
struct Pipeline {
  int cycles = 3;
  bool speculative = true;     ///< asks for an output channel and for the switch in one step
  bool routing_stage = false;  ///< the way is found in a step of its own, else on arrival

  /// The pipelines that there are: 3 or 4 cycles, speculative, and 4 or 5, not; the longer ones have a routing stage.
  static std::optional<Pipeline> of(std::int64_t cycles, bool speculative) {
    const std::int64_t shortest = speculative ? 3 : 4;
    if (cycles < shortest || cycles > shortest + 1) return std::nullopt;
    return Pipeline{static_cast<int>(cycles), speculative, cycles > shortest};
  }

  /// Steps from a head's being readable to its winning the switch and leaving the buffer, the last one included, if
  /// nothing is in its way.
  int head_steps() const { return (routing_stage ? 1 : 0) + (speculative ? 1 : 2); }
  /// Cycles of a hop over a link of this latency.
  int hop_steps(int link_latency) const { return head_steps() + 1 + link_latency; }
};

}  // namespace starloom::router

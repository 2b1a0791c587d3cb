// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pipeline of the router with virtual channels: its stages and their times in steps. All code that needs
/// such a time takes it from here, except the referee, which has its own rules.
///
/// The declaration of an algorithm contains its pipeline, so this file is not in the room of the router.
#include <cstdint>
#include <optional>

namespace starloom::router {

// Times after the allocators. A flit that wins the switch in step t:
inline constexpr int link_entry = 2;     ///< enters its link in t + 2, from the switch register
inline constexpr int consumption = 3;    ///< at the local port, it is consumed in t + 3
inline constexpr int credit_word = 1;    ///< its credit is on the side wire in t + 1
inline constexpr int exit_credit = 5;    ///< at the local port, its credit is available again in t + 5
inline constexpr int source_credit = 2;  ///< from the local in-port, the processor has its credit in t + 2
/// A flit that the processor sends in step s is readable in the local in-port in s + 2.
inline constexpr int injection = 2;
/// A flit that a terminal (NetworkGraph::is_terminal) sends in step s enters the link in s + 1. The credit of a
/// channel towards a terminal is available this number of steps after the flit has arrived there.
inline constexpr int terminal_entry = 1;
inline constexpr int terminal_credit = exit_credit - consumption;

/// Steps until a flit that wins the switch is readable behind its link, and until its credit is available at the near
/// end of the link that it came over.
inline constexpr int flit_delay(int link_latency) { return link_entry + link_latency; }
inline constexpr int credit_delay(int link_latency) { return credit_word + link_latency; }

/// Steps in which a head is in the buffer of a router with this number of cycles, from readable to leaving, both
/// included, if no packet is in its way. A hop over a link of latency 1 takes `cycles` steps.
inline constexpr int head_steps(int cycles) { return cycles + 1 - flit_delay(1); }

/// The stages in front of the switch. The number of cycles of a pipeline is that of a hop, including a link of
/// latency 1.
struct Pipeline {
  int cycles = 3;
  bool speculative = true;     ///< requests an output channel and the switch in one step
  bool routing_stage = false;  ///< route computation takes a step of its own; false: it is done on arrival

  /// The supported pipelines: 3 or 4 cycles, speculative, and 4 or 5, not; the longer ones have a routing stage.
  static std::optional<Pipeline> of(std::int64_t cycles, bool speculative) {
    const std::int64_t shortest = speculative ? 3 : 4;
    if (cycles < shortest || cycles > shortest + 1) return std::nullopt;
    return Pipeline{static_cast<int>(cycles), speculative, cycles > shortest};
  }

  int head_steps() const { return router::head_steps(cycles); }
  /// Cycles of a hop over a link of this latency.
  int hop_steps(int link_latency) const { return head_steps() - 1 + flit_delay(link_latency); }
};

}  // namespace starloom::router

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pipeline of the router with virtual channels: its stages and their times in steps. All code that needs
/// such a time takes it from here, except the referee, which has its own rules.
///
/// The declaration of an algorithm contains its pipeline, so this file is not in the room of the router.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::router {

// Times that are the same in all routers. A flit leaves its buffer in the step in which the switch is granted to it,
// t, or with a longer allocation in the last step of that.
inline constexpr int credit_word = 1;    ///< its credit is on the side wire in t + 1
inline constexpr int source_credit = 2;  ///< from the local in-port, the processor has its credit in t + 2
/// A flit that the processor sends in step s is readable in the local in-port in s + 2.
inline constexpr int injection = 2;
/// A flit that a terminal (NetworkGraph::is_terminal) sends in step s enters the link in s + 1.
inline constexpr int terminal_entry = 1;
/// The credit of a channel towards a terminal, or towards the local processor, is available this number of steps after
/// the flit has arrived there.
inline constexpr int terminal_credit = 2;

/// The most steps of a stage, rounds of a step, and flits as the limit of a FIFO.
inline constexpr int most_stage_steps = 16;
inline constexpr int most_rounds = 4;
inline constexpr int most_fifo_flits = 65536;

/// Steps until the credit of a flit that leaves its buffer is available at the near end of the link that it came over.
inline constexpr int credit_delay(int link_latency) { return credit_word + link_latency; }

/// More flits through the switch than one per port and step.
struct Speedup {
  int input = 1;     ///< flits that may leave an in-port in a round, from different sub-ports
  int output = 1;    ///< flits that the switch may bring to an out-port in a round
  int internal = 1;  ///< rounds of a router in a step: of routing, allocation and traversal, one after the other
  int fifo = 0;      ///< flits in the FIFO of an out-port with which it takes no requests; 0: no limit

  bool any() const { return input > 1 || has_fifo(); }
  /// True if a FIFO is between the switch and the link, because flits can be faster than the link.
  bool has_fifo() const { return output > 1 || internal > 1 || fifo > 0; }
  /// The sub-port of a channel within its in-port.
  int sub_port(int channel) const { return channel % input; }
};

/// The stages of a router and their steps.
struct Pipeline {
  int routing_steps = 0;    ///< route computation; 0: on arrival
  int channel_steps = 1;    ///< channel allocation
  int switch_steps = 1;     ///< switch allocation
  int crossbar_steps = 1;   ///< from the switch to the register in front of the link
  bool speculative = true;  ///< requests an output channel and the switch in one step
  Speedup speedup{};        ///< with internal speed-up, stages take rounds instead of steps

  /// The pipelines of this number of cycles per hop, over a link of latency 1: 3 or 4 cycles, speculative, and 4 or 5,
  /// not; the longer ones have a routing stage.
  static std::optional<Pipeline> of(std::int64_t cycles, bool speculative) {
    const std::int64_t shortest = speculative ? 3 : 4;
    if (cycles < shortest || cycles > shortest + 1) return std::nullopt;
    return Pipeline{static_cast<int>(cycles - shortest), 1, 1, 1, speculative};
  }

  /// True if no allocation takes several steps.
  bool allocates_in_a_step() const { return channel_steps == 1 && switch_steps == 1; }
  /// Rounds from the first one of a head at the front of its buffer to that in which it leaves, both included, if no
  /// packet is in its way. Without internal speed-up, a step has one round.
  int head_rounds() const { return routing_steps + (speculative ? 1 : channel_steps + switch_steps); }
  /// The same in steps.
  int head_steps() const { return steps_of(head_rounds()); }
  /// The same of any other flit.
  int flit_steps() const { return switch_steps; }
  /// Least steps from leaving the buffer until a flit enters its link, until it is consumed at the local port, and
  /// until its credit there is available again. Without a FIFO, all flits take these.
  int link_entry() const { return speedup.internal > 1 ? 1 : crossbar_steps + 1; }
  int consumption() const { return link_entry() + 1; }
  int exit_credit() const { return consumption() + terminal_credit; }
  /// Steps from leaving the buffer until a flit is readable behind its link.
  int flit_delay(int link_latency) const { return link_entry() + link_latency; }
  /// Steps of a head from readable until it enters its link.
  int head_to_link() const { return steps_of(head_rounds() + crossbar_steps); }
  /// Steps of a head per hop over a link of this latency.
  int hop_steps(int link_latency) const { return head_to_link() + link_latency; }

 private:
  int steps_of(int rounds) const { return (rounds + speedup.internal - 1) / speedup.internal; }
};

/// The pipelines of all routers of a network.
struct Pipelines {
  Pipeline common{};                 ///< of all routers; if they differ, of those in no region
  std::vector<Pipeline> of_nodes{};  ///< [node of one subnet]; empty: all routers are alike

  bool alike() const { return of_nodes.empty(); }
  /// The pipeline of a node, also of one in another subnet.
  const Pipeline& at(NodeId node) const {
    return alike() ? common : of_nodes[static_cast<std::size_t>(node) % of_nodes.size()];
  }
  bool allocate_in_a_step() const {
    return least([](const Pipeline& pipeline) { return pipeline.allocates_in_a_step() ? 1 : 0; }) == 1;
  }
  /// The least or greatest of the times of all. \param of_pipeline that of one.
  template <class OfPipeline>
  int least(const OfPipeline& of_pipeline) const {
    int least = of_pipeline(at(0));
    for (const Pipeline& pipeline : of_nodes) least = std::min<int>(least, of_pipeline(pipeline));
    return least;
  }
  template <class OfPipeline>
  int greatest(const OfPipeline& of_pipeline) const {
    return -least([&](const Pipeline& pipeline) { return -of_pipeline(pipeline); });
  }
};

/// A stage by the name of its key.
struct Stage {
  const char* name;
  int Pipeline::*steps;
  int least;  ///< steps
};
inline constexpr Stage pipeline_stages[] = {{"routing", &Pipeline::routing_steps, 0},
                                            {"channel", &Pipeline::channel_steps, 1},
                                            {"switch", &Pipeline::switch_steps, 1},
                                            {"crossbar", &Pipeline::crossbar_steps, 1}};

}  // namespace starloom::router

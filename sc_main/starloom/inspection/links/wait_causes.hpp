// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The causes why the head of a packet stayed in a node, step by step, from other events there.
#include <string>
#include <vector>

#include <starloom/inspection/links/evidence.hpp>

namespace starloom::links {

/// Divides the stays of one packet into waits, each with its cause (docs/replay.md, "Causes").
class WaitCauses {
 public:
  WaitCauses(const RunFiles& run, const Evidence& evidence, PacketId packet);

  /// Appends the waits of a stay to `waits`, in order; together they have the length of the stay.
  void explain(const Stay& stay, std::vector<Wait>& waits) const;

 private:
  struct Found {
    WaitCause cause;
    PacketId behind = no_packet;
    std::string reason{};
    std::optional<std::string> what{};  ///< instead of the link through which it leaves
  };
  /// Appends [from, to) with a cause, joined to the previous wait if that has the same.
  void add(const Stay& stay, Step from, Step to, Found found, std::vector<Wait>& waits) const;
  void in_memory(const Stay& stay, std::vector<Wait>& waits) const;
  /// The same as `add` in the memory of a processor, which may be stopped.
  void add_in_memory(const Stay& stay, Step from, Step to, const Found& found, std::vector<Wait>& waits) const;
  void in_router(Stay stay, std::vector<Wait>& waits) const;
  void in_queue(const Stay& stay, std::vector<Wait>& waits) const;
  /// The step of the change of routing functions after which it waits for the link through which it leaves; no_step:
  /// it has always done so, as far as the rows show.
  Step asks_again_at(const Stay& stay) const;
  /// The time in which the link of an out-port is dead around a step; null: it is alive.
  const DeadTime* dead_time(NodeId node, Port out, Step step) const;
  /// The link of a node that is dead in a step; empty: there are none, or several.
  std::string only_dead_link(NodeId node, Step step) const;
  void at_the_end(const Stay& stay, std::vector<Wait>& waits) const;
  /// The step from which on the head is at the front of its buffer.
  Step front_from(const Stay& stay, std::vector<Wait>& waits) const;
  Found lost_switch(const Stay& stay, Step step) const;
  Found in_fifo(const Stay& stay, Step step) const;
  bool is_replay_full(const Stay& stay, Step step) const;
  bool is_acknowledged(const Stay& stay, const Departure& sent, Step step) const;
  /// The packet at the front of the FIFO between the switch and the link; no_packet: none.
  PacketId front_of_fifo(const Stay& stay, Step step) const;
  bool is_fifo_full(const Stay& stay, Step step) const;
  /// From leaving the FIFO to the row.
  Step steps_behind_fifo(const Stay& stay) const;
  /// The last flit that enters the link before this step; null: there is none.
  const Departure* last_on_link(const Stay& stay, Step entry) const;
  /// True if that flit, of another packet, keeps the link from taking one in this step.
  bool is_busy(const Stay& stay, Step entry) const;
  /// The packet that holds the in-line or the out-line of the switch from its previous flit on; no_packet: none.
  PacketId holder_of_lines(const Stay& stay, Step step) const;
  /// It lost to a flit that passed the switch, because of its priority or for the other cause.
  Found lost_to(const Stay& stay, Step step, const Departure& winner, bool same_out, WaitCause otherwise) const;
  bool share_in_line(const Stay& stay, const Departure& other) const;
  bool share_out_line(const Stay& stay, const Departure& other) const;
  bool is_crossing_full(const Stay& stay, Step step) const;
  /// The packet that holds the output channel; no_packet: none.
  PacketId holder(const Stay& stay, Step step) const;
  Found lost_link(const Stay& stay, Step step, Step& until) const;
  Found at_terminal(const Stay& stay, Step step, Step& until) const;
  Step leaves_register_at(const Stay& stay, const Departure& before) const;
  std::string discipline(NodeId node, const Departure& winner, Step readable) const;
  std::string what(const Stay& stay) const;

  const RunFiles& run_;
  const NetworkGraph& graph_;
  const Evidence& evidence_;
  const PacketId packet_;
  const std::vector<DeadTime> dead_;  ///< hardware that dies or is repaired during the run
};

}  // namespace starloom::links

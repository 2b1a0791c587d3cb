// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Detects that the network of an open-loop run does not carry the offered load.
#include <functional>
#include <optional>
#include <vector>

#include <starloom/control/links/zero_load.hpp>
#include <starloom/core/links/attempts.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

struct SaturationVerdict {
  SaturationReason reason = SaturationReason::drain;
  Step step = no_step;     ///< the step before which it was found
  LinkId link = -1;        ///< `full`: the link
  NodeId node = no_node;   ///< `full`, without a link: the node of the local port
  std::int64_t flits = 0;  ///< in flight or waiting in sources
  double pipe = 0;         ///< flits in flight at the offered load without contention (P below)
};

/// Checks a run at the end of its measurement phase, in flits (docs/output.md, "Open loop"). By Little's law a
/// network without contention contains P = offered rate x processors x zero-load latency flits. The run is saturated
/// if more than 4 P flits are in flight or wait in sources, and
/// - a link or local port was taken in every measured step (`full`), or
/// - their number has grown over the later half of the phase by more than chance (`backlog`).
///
/// With a limit of latency the run ends as soon as this holds at the end of a sixteenth of the phase, for the part of
/// the phase that is over, from a quarter on; or as soon as the mean latency of the measured packets (for packets in
/// flight, their age) is above the limit times the latency without contention. This is checked until the end of the
/// drain. A network in which no flit arrived in the last sixteenth continues, because that may be a deadlock.
class Saturation {
 public:
  /// The flits that ports have taken before a step (Engine::port_flits_before).
  using PortFlitsBefore = std::function<PortFlits(Step)>;

  /// The network, the algorithm and the traffic outlive it. `limit`: above 0; nullopt: the run does not end early.
  Saturation(const Phases& phases, std::optional<double> limit, const NetworkGraph& graph, const Algorithm& algorithm,
             const Traffic& traffic);

  /// Packets are sent again: those attempts of the run, which outlive it. The latency of a packet is that of the first
  /// one that arrives. Set before the run.
  void expect_attempts(const Attempts& attempts) { attempts_ = &attempts; }
  /// Called between two steps: `record` has the results of all steps before `next` (no_step: of all steps).
  void look(Step next, const RunRecord& record, const PortFlitsBefore& ports);
  /// Called before `record` removes the packets below `first`, all of which have arrived.
  void before_removal(PacketId first, const RunRecord& record);
  /// Set when the run is found to be saturated.
  const std::optional<SaturationVerdict>& verdict() const { return verdict_; }
  /// The step before which the run ends, because its verdict will not change; empty otherwise.
  std::optional<Step> end_of_run() const { return end_of_run_; }

 private:
  Step step_of_look() const;
  void examine(const RunRecord& record, const PortFlitsBefore& ports);
  std::optional<SaturationVerdict> overload(const PortFlitsBefore& ports) const;
  void name_full_port(SaturationVerdict& verdict, const PortFlits& now) const;
  bool latency_is_above(const RunRecord& record) const;
  /// Extends the sums over packets below `end`.
  void sum_up(PacketId end, const RunRecord& record);
  bool is_lost(PacketId packet, const RunRecord& record) const {
    return attempts_ == nullptr ? record.lost.count(packet) > 0 : are_lost(packet, record);
  }
  [[gnu::noinline]] bool are_lost(PacketId first, const RunRecord& record) const;
  [[gnu::noinline]] Step arrival(PacketId packet, const RunRecord& record) const;
  bool in_phase(PacketId packet, const RunRecord& record) const;
  /// The age of a measured packet before step `now`, or its latency if it has arrived.
  [[gnu::always_inline]] double waited(PacketId packet, const RunRecord& record) const;
  /// The number of packets that the measured packet `number` represents in the sums of latencies without contention.
  static std::int64_t weight_of(std::int64_t number);
  /// The latency of a packet without contention. `number` replaces its random choice, evenly distributed.
  Step free_latency(const Packet& packet, std::int64_t number) const;

  const Step from_, to_;
  const std::optional<double> limit_;
  const NetworkGraph& graph_;
  const Algorithm& algorithm_;
  const Traffic& traffic_;
  const ZeroLoad zero_load_;

  const Attempts* attempts_ = nullptr;

  Step look_ = 0;  ///< the number of the next look
  struct Counts {
    std::int64_t created, delivered;
    std::int64_t backlog() const { return created - delivered; }
  };
  std::vector<Counts> counts_;  ///< [look] flits
  PortFlits before_;            ///< the measurement phase
  // For measured packets.
  std::int64_t measured_ = 0;
  PacketId summed_ = 0;   ///< packets below are in `free_` and `held_`
  PacketId arrived_ = 0;  ///< packets below have arrived and are in `waited_`
  double free_ = 0, waited_ = 0;
  double held_ = 0;  ///< flits times their latency without contention
  std::optional<SaturationVerdict> verdict_;
  std::optional<Step> end_of_run_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Whether the network of an open-loop run carries what its sources offer.
#include <functional>
#include <optional>
#include <vector>

#include <starloom/control/links/zero_load.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

struct SaturationVerdict {
  SaturationReason reason = SaturationReason::drain;
  Step step = no_step;     ///< before which it was found
  LinkId link = -1;        ///< `full`: the link
  NodeId node = no_node;   ///< `full`: else the node of the local port
  std::int64_t flits = 0;  ///< under way or waiting in sources
  double pipe = 0;         ///< flits that the offered load keeps under way without contention (P below)
};

/// Judges a run at the end of its measurement phase, in flits (docs/output.md, "Open loop"). By Little's law a
/// network without contention holds P = offered rate x processors x zero-load latency. The run is saturated if more
/// than 4 P flits are under way or wait in sources, and
/// - a link or local port was taken in every measured step (`full`), or
/// - their number has grown over the later half of the phase by more than chance (`backlog`).
///
/// With a limit of latency the run ends as soon as this holds at the end of a sixteenth of the phase, for the part of
/// the phase that is over, from a quarter on; or as soon as the mean latency of the measured packets, which count
/// with what they have waited if they are under way, is above the limit times what they need without contention. It
/// is looked for until the end of the drain. A network in which no flit arrived in the last sixteenth goes on,
/// because that may be a deadlock.
class Saturation {
 public:
  /// What the ports have taken before a step (Engine::port_flits_before).
  using PortFlitsBefore = std::function<PortFlits(Step)>;

  /// The network, the algorithm and the traffic outlive it. `limit`: above 0; nullopt: the run does not end early.
  Saturation(const Phases& phases, std::optional<double> limit, const NetworkGraph& graph, const Algorithm& algorithm,
             const Traffic& traffic);

  /// Between two steps: all steps before `next` (no_step: all there will be) have left their traces in `record`.
  void look(Step next, const RunRecord& record, const PortFlitsBefore& ports);
  /// `record` will list the packets below `first` no more; all of them have arrived.
  void before_forgetting(PacketId first, const RunRecord& record);
  /// Set once the run is found saturated.
  const std::optional<SaturationVerdict>& verdict() const { return verdict_; }
  /// Set if the run need not go on, because its verdict will not change: the step before which it ends.
  std::optional<Step> end_of_run() const { return end_of_run_; }

 private:
  Step step_of_look() const;
  void examine(const RunRecord& record, const PortFlitsBefore& ports);
  std::optional<SaturationVerdict> overload(const PortFlitsBefore& ports) const;
  void name_full_port(SaturationVerdict& verdict, const PortFlits& now) const;
  bool latency_is_above(const RunRecord& record) const;
  /// Extends the sums over packets below `end`.
  void sum_up(PacketId end, const RunRecord& record);
  bool in_phase(PacketId packet, const RunRecord& record) const;
  /// What a packet of the phase counts: how long it was, or has been, under way before step `now`.
  double waited(PacketId packet, const RunRecord& record) const;
  /// For how many packets the measured packet `number` stands in the sums of latencies without contention.
  static std::int64_t weight_of(std::int64_t number);
  /// Steps that a packet takes without contention. Its `number` stands for what it will draw, spread evenly.
  Step free_latency(const Packet& packet, std::int64_t number) const;

  const Step from_, to_;
  const std::optional<double> limit_;
  const NetworkGraph& graph_;
  const Algorithm& algorithm_;
  const Traffic& traffic_;
  const ZeroLoad zero_load_;

  Step look_ = 0;  ///< the number of the next look
  struct Counts {
    std::int64_t created, delivered;
    std::int64_t backlog() const { return created - delivered; }
  };
  std::vector<Counts> counts_;  ///< [look] flits
  PortFlits before_;            ///< the measurement phase
  // Sums over measured packets.
  std::int64_t measured_ = 0;
  PacketId summed_ = 0;   ///< packets below are in `free_` and `held_`
  PacketId arrived_ = 0;  ///< packets below have arrived and are in `waited_`
  double free_ = 0, waited_ = 0;
  double held_ = 0;  ///< flits by the steps that they need without contention
  std::optional<SaturationVerdict> verdict_;
  std::optional<Step> end_of_run_;
};

}  // namespace starloom::links

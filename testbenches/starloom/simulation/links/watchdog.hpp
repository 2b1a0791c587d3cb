// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Detects the end of a run (docs/output.md, "Outcomes").
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/ids.hpp>
#include <starloom/core/links/attempts.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/simulation/limits.hpp>
#include <starloom/simulation/links/saturation.hpp>
#include <starloom/simulation/links/starvation.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// Observes a run and determines when it is over, and why. Its verdict depends only on the events of each step, not
/// on which nodes were run.
class Watchdog {
 public:
  /// All arguments outlive it.
  Watchdog(const Limits& limits, const Algorithm& algorithm, const NetworkGraph& graph, const Traffic& traffic,
           const StopFlag* interrupt);

  /// Packets may still be created from outside while `more` returns true. Set before the run.
  void expect_more(std::function<bool()> more) { more_ = std::move(more); }
  /// A run whose packets are all delivered has deadlocked if `blocked` returns true. Set before the run.
  void expect_blocked(std::function<bool()> blocked) { blocked_ = std::move(blocked); }
  /// Packets are sent again: those attempts of the run, which outlive it. Set before the run.
  void expect_attempts(const Attempts& attempts);
  /// A run that has lost packets may be `completed`; else it is `incomplete`. Set before the run.
  void accept_losses() { accepts_losses_ = true; }
  /// No step at or after this one can be needed; `no_step`: the end is not known.
  Step horizon() const { return horizon_; }
  /// The last step in which a flit moved inside the network.
  Step last_moved() const { return last_moved_; }
  /// Called before step `next` (no_step: no further event is possible): the outcome if the run is over.
  std::optional<Outcome> judge(Step next, Engine& engine);
  /// Called before `record` removes the packets below `first`, whose data it keeps as far as needed.
  void before_removal(PacketId first, const RunRecord& record);
  /// The first step that does not belong to a run with an outcome. The last ones may have been skipped.
  Step end() const { return end_; }
  /// True if the outcome is `step-limit` because simulated time has an end.
  bool out_of_time() const { return out_of_time_; }
  /// Set if the outcome is `saturated`, or if more flits wait at the end of an application than its network carries.
  const std::optional<SaturationVerdict>& saturation() const { return verdict_; }

  /// Set if the outcome is `livelock` because of a class of traffic.
  const std::optional<Starvation::Found>& starved() const { return starved_; }

  /// The packets that wait for each other, those that remain, and the number not created: lines for users, at most
  /// `most` + 1.
  std::vector<std::string> explain(Outcome outcome, const Engine& engine, const NetworkGraph& graph,
                                   std::size_t most = 20) const;
  /// Packets of the traffic that would be created after the end of the run.
  std::int64_t not_created(const Engine& engine) const;

 private:
  bool more() const { return more_ && more_(); }
  bool measured_all_delivered(const RunRecord& record);
  std::optional<Outcome> outcome_before(Step next, Engine& engine);
  static void explain_losses(const RunRecord& record, const NetworkGraph& graph, std::vector<std::string>& lines);

  Limits limits_;
  const Algorithm& algorithm_;
  std::optional<Phases> phases_;
  std::optional<std::int64_t> packet_count_;
  std::optional<Saturation> saturation_;
  std::optional<SaturationVerdict> verdict_;
  std::optional<Starvation> starvation_;        ///< with classes of traffic
  std::optional<Starvation::Found> starved_{};  ///< the outcome is `livelock` because of a class
  const StopFlag* interrupt_;
  std::function<bool()> more_, blocked_;
  const Attempts* attempts_ = nullptr;
  Step horizon_ = no_step;
  Outcome horizon_outcome_ = Outcome::step_limit;

  bool accepts_losses_ = false;
  bool out_of_time_ = false;
  Step end_ = 0;
  Step last_judged_ = no_step;  ///< the step after which judge was last called
  Step last_moved_ = no_step;
  Step cycle_checked_ = no_step;
  Step moving_steps_ = 0;  ///< steps with movement since a flit last left the network
  std::int64_t flits_delivered_ = 0;
  PacketId first_unmeasured_ = 0;  ///< measured packets below it have arrived
};

/// A cycle of waiting packets: each waits for a resource of the next one, and has no alternative; empty if there is
/// none. A packet that waits for one of several others is blocked if all of them are.
std::vector<Engine::Waiting> wait_cycle(const std::vector<Engine::Waiting>& waiting);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How a run ends (docs/output.md, "Outcomes").
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/ids.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/simulation/limits.hpp>
#include <starloom/simulation/links/saturation.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// Watches a run from outside and says when it is over, and why. Its verdict depends on what happened in which step
/// alone, not on which nodes were run.
class Watchdog {
 public:
  /// What it refers to outlives it.
  Watchdog(const Limits& limits, const Algorithm& algorithm, const NetworkGraph& graph, const Traffic& traffic,
           const StopFlag* interrupt);

  /// Packets may still be created from outside while `more` says so. Set before the run.
  void expect_more(std::function<bool()> more) { more_ = std::move(more); }
  /// No step at or after this one can be needed; `no_step`: no such end is known.
  Step horizon() const { return horizon_; }
  /// The last step in which something moved inside the network.
  Step last_moved() const { return last_moved_; }
  /// Before step `next` (no_step: nothing can happen any more): the outcome if the run is over.
  std::optional<Outcome> judge(Step next, Engine& engine);
  /// `record` will list the packets below `first` no more: what is still to be known of them is noted.
  void before_forgetting(PacketId first, const RunRecord& record);
  /// The first step that does not belong to a run whose outcome was told. The last ones may have been skipped.
  Step end() const { return end_; }
  /// True if the outcome is `step-limit` because simulated time has an end.
  bool out_of_time() const { return out_of_time_; }
  /// Set if the outcome is `saturated`, or if more flits wait at the end of an application than its network carries.
  const std::optional<SaturationVerdict>& saturation() const { return verdict_; }

  /// Which packet waits for which, what is left, and what was not created: lines for people, at most `most` and one.
  std::vector<std::string> explain(Outcome outcome, const Engine& engine, const NetworkGraph& graph,
                                   std::size_t most = 20) const;
  /// Packets of the traffic that come after the end of the run.
  std::int64_t not_created(const Engine& engine) const;

 private:
  bool more() const { return more_ && more_(); }
  bool measured_all_delivered(const RunRecord& record);
  std::optional<Outcome> outcome_before(Step next, Engine& engine);

  Limits limits_;
  const Algorithm& algorithm_;
  std::optional<Phases> phases_;
  std::optional<std::int64_t> packet_count_;
  std::optional<Saturation> saturation_;
  std::optional<SaturationVerdict> verdict_;
  const StopFlag* interrupt_;
  std::function<bool()> more_;
  Step horizon_ = no_step;
  Outcome horizon_outcome_ = Outcome::step_limit;

  bool out_of_time_ = false;
  Step end_ = 0;
  Step last_judged_ = no_step;  ///< the step after which judge was last called
  Step last_moved_ = no_step;
  Step cycle_checked_ = no_step;
  Step moving_steps_ = 0;  ///< steps with movement since a flit last left the network
  std::int64_t flits_delivered_ = 0;
  PacketId first_unmeasured_ = 0;  ///< measured packets below it have arrived
};

/// A closed circle of waiting packets: each waits for something that the next one holds, and has no other way to go on;
/// empty if there is none. Of several packets of which one would have to go, all are held up, too.
std::vector<Engine::Waiting> wait_cycle(const std::vector<Engine::Waiting>& waiting);

}  // namespace starloom::links

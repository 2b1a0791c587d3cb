// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A plan as an algorithm: offline routing in hardware.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/algorithms/schedule_player/timetable.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/plan.hpp>

namespace starloom::links {

/// The way in which nodes follow a plan.
enum class PlayStyle {
  one_bend,  ///< each node has the entry of its own packet; packets never wait on their path
  /// each node has its part of the timetable, and may have several packets of its own; packets never wait on their
  /// path
  moving,
  staying,  ///< as `moving`, but packets may stay in nodes
};

/// Offline routing: controllers that follow a plan made, or loaded, before the run. The result is measured on the
/// links, not copied from the plan. A packet that is not part of the plan (start -1) stays in its processor, and the
/// run ends as incomplete.
class SchedulePlayer final : public Algorithm {
 public:
  struct Setup {
    const Grid* topology = nullptr;  ///< outlives the algorithm
    std::vector<Packet> packets;     ///< all created in step 0; at most one per source, except for `moving`
    Plan plan;
    PlayStyle style = PlayStyle::one_bend;
    /// `staying`: greatest number of packets that stay in a node, one number or one per node
    std::vector<std::int64_t> residents{};
    std::map<std::string, double> bounds{};  ///< theoretical bounds
    /// The paths that the planner chooses from; empty: any path.
    std::optional<PathScheme> scheme = PathScheme::path_selection;
  };

  explicit SchedulePlayer(Setup setup);

  std::unique_ptr<ControllerArray> make_controllers() const override;
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override { return setup_.bounds; }
  std::map<std::string, double> metrics() const override;
  const Plan* plan() const override { return &setup_.plan; }
  std::optional<ScheduleSpace> schedules() const override;

 private:
  Setup setup_;
  std::optional<Timetable> timetable_;  ///< unless `one_bend`
};

/// The metrics of `SchedulePlayer::metrics`, for the entries of offline algorithms.
std::vector<MetricSpec> plan_metrics();

/// The packets of a context, if a plan can be made for them.
/// \throws InputError if they are not known, are ranks instead, or one is created after step 0.
const std::vector<Packet>& packets_to_plan(const AlgorithmContext& context, const std::string& algorithm);
/// The same. \throws InputError also if two of them have the same source.
const std::vector<Packet>& one_packet_each_to_plan(const AlgorithmContext& context, const std::string& algorithm);

}  // namespace starloom::links

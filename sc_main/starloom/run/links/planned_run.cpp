// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/planned_run.hpp>

#include <algorithm>
#include <memory>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/saved_plan.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/search/counting_bounds.hpp>
#include <starloom/search/flow_bound.hpp>
#include <starloom/search/schedule_search.hpp>
#include <utility>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(std::optional<Step> length) { return length ? Json(*length) : Json(); }

/// A plan, and the bounds for all schedules of its packets. A search may find a better plan, which replaces it.
class PlanEvaluator {
 public:
  PlanEvaluator(const Grid& grid, const std::vector<Packet>& packets, const Algorithm& algorithm,
                const PlanRequest& request)
      : grid_(grid), packets_(packets), request_(request), plan_(*algorithm.plan()), space_(*algorithm.schedules()) {
    if (request.residents) space_.residents = {*request.residents};
    check_space(grid, {std::nullopt, space_.residents, space_.flits});
    limits_.deadline = Deadline(request.seconds);
    counted_ = counting_bounds(grid, packets, space_.flits);
    lower_ = counted_.distance;
    if (belongs_to(space_, grid, packets, plan_)) upper_ = plan_.length();
    if (request.bounds || request.optimal) lower_ = counted_.greatest();
    if (request.bounds) bound_flow();
    if (request.optimal) search();
    if (request.length) feasible_ = feasible(*request.length);
    if (request.optimal && request.proof && upper_ == lower_ && lower_ > 0)
      find(lower_ - 1, request.proof);  // no plan is shorter
  }

  Json json() const {
    const bool complete = std::all_of(plan_.journeys.begin(), plan_.journeys.end(),
                                      [](const Journey& journey) { return journey.planned(); });
    Json json;
    json["length"] = complete ? Json(plan_.length()) : Json();
    json["distance"] = greatest_distance(grid_, packets_);
    json["bounds"] = {{"distance", counted_.distance}};
    if (request_.bounds) {
      json["bounds"]["cut"] = counted_.cut;
      json["bounds"]["degree"] = counted_.degree;
      json["bounds"]["flow"] = json_of(flow_);
    }
    const bool optimal = lower_ == upper_;
    json["optimum"] = optimal ? Json(lower_) : Json();
    json["lower"] = lower_;
    json["upper"] = json_of(upper_);
    json["status"] = status(optimal);
    json["starts"] = Json::array();
    for (const Journey& journey : plan_.journeys)
      json["starts"].push_back(journey.planned() ? Json(journey.start) : Json());
    if (const auto segments = first_segments(grid_, packets_, plan_)) {
      json["first"] = Json::array();
      for (const FirstSegment segment : *segments)
        json["first"].push_back(segment == FirstSegment::horizontal ? "H" : "V");
    }
    return json;
  }

  const Plan& plan() const { return plan_; }

 private:
  void bound_flow() {
    flow_ = flow_bound(grid_, packets_, space_, lower_, upper_, limits_.deadline);
    lower_ = flow_.value_or(lower_);
  }

  // If many packets go to few nodes, formulas are hard and flows are not. Therefore both are tried.
  static constexpr int easy = 10'000;

  Answer feasible(Step length) {
    if (upper_ && *upper_ <= length) return Answer::yes;
    if (request_.proof) return find(length, request_.proof);
    limits_.conflicts = easy;
    Answer answer = find(length);
    limits_.conflicts = -1;
    if (answer == Answer::unknown && flow_exists(grid_, packets_, space_, length, limits_.deadline) == Answer::no) {
      lower_ = std::max(lower_, length + 1);
      return Answer::no;
    }
    return answer == Answer::unknown ? find(length) : answer;
  }

  /// Climbs from below until there is a plan.
  void search() {
    limits_.conflicts = request_.bounds ? -1 : easy;
    while (upper_ != lower_) {
      if (find(lower_) != Answer::unknown) continue;
      if (limits_.conflicts < 0 || limits_.deadline.passed()) break;
      bound_flow();
      limits_.conflicts = -1;
    }
    limits_.conflicts = -1;
  }

  /// Searches for a plan of a length and records the consequences. \param proof  file for the proof that there is
  /// none
  Answer find(Step length, const std::optional<std::filesystem::path>& proof = std::nullopt) {
    limits_.proof = proof;
    SearchResult result = find_schedule(grid_, packets_, space_, length, limits_);
    if (result.found == Answer::no) lower_ = std::max(lower_, length + 1);
    if (result.found == Answer::yes) {
      plan_ = std::move(result.plan);
      upper_ = std::min(upper_.value_or(plan_.length()), plan_.length());
    }
    return result.found;
  }

  std::string status(bool optimal) const {
    if (!feasible_) return optimal ? "optimal" : "unknown";
    return *feasible_ == Answer::yes ? "feasible" : *feasible_ == Answer::no ? "infeasible" : "unknown";
  }

  const Grid& grid_;
  const std::vector<Packet>& packets_;
  const PlanRequest& request_;
  Plan plan_;
  ScheduleSpace space_;
  CountingBounds counted_;
  std::optional<Step> flow_;
  Step lower_ = 0;
  std::optional<Step> upper_;  ///< the length of a known schedule of the space
  SearchLimits limits_;
  std::optional<Answer> feasible_;  ///< the answer for the requested length
};

}  // namespace

PlannedRun planned_run(const Grid& grid, std::vector<Packet> packets, const Algorithm& algorithm,
                       const PlanRequest& request) {
  const PlanEvaluator judge(grid, packets, algorithm, request);
  PlannedRun run;
  run.metrics = judge.json();
  run.saved = [&grid, plan = judge.plan(), packets = std::move(packets)] {
    return saved_plan_text(grid, packets, plan);
  };
  return run;
}

}  // namespace starloom::links

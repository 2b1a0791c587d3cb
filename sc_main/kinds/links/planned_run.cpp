#include <starloom/kinds/links/planned_run.hpp>

#include <algorithm>
#include <memory>
#include <starloom/planners/links/multistage/one_bend_planner.hpp>
#include <starloom/planners/links/saved_plan.hpp>
#include <utility>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// The last arrival of a plan can be no earlier than that of the packet with the longest way.
Step distance_bound(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits) {
  const std::int32_t distance = greatest_distance(grid, packets);
  return distance == 0 ? 0 : distance + flits - 1;
}

Json plan_json(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) {
  const Step bound = distance_bound(grid, packets, plan.flits);
  const bool complete =
      std::all_of(plan.journeys.begin(), plan.journeys.end(), [](const Journey& journey) { return journey.planned(); });
  const bool optimal = complete && plan.length() == bound;
  Json json;
  json["length"] = complete ? Json(plan.length()) : Json();
  json["distance"] = greatest_distance(grid, packets);
  json["bounds"] = {{"distance", bound}};
  json["optimum"] = optimal ? Json(plan.length()) : Json();
  json["status"] = optimal ? "optimal" : "unknown";
  json["starts"] = Json::array();
  for (const Journey& journey : plan.journeys)
    json["starts"].push_back(journey.planned() ? Json(journey.start) : Json());
  if (const auto legs = first_legs(grid, packets, plan)) {
    json["first"] = Json::array();
    for (const FirstLeg leg : *legs) json["first"].push_back(leg == FirstLeg::horizontal ? "H" : "V");
  }
  return json;
}

}  // namespace

PlannedRun planned_run(const Grid& grid, std::vector<Packet> packets, const Plan& plan) {
  PlannedRun run;
  run.figures = plan_json(grid, packets, plan);
  run.saved = [&grid, &plan, packets = std::move(packets)] { return saved_plan_text(grid, packets, plan); };
  return run;
}

}  // namespace starloom::links

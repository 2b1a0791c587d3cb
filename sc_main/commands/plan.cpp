#include <starloom/commands/plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include <starloom/config/names.hpp>
#include <starloom/core/error.hpp>
#include <starloom/planners/links/multistage/one_bend_planner.hpp>
#include <starloom/planners/links/saved_plan.hpp>
#include <starloom/results/result.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// The last arrival of a plan can be no earlier than that of the packet with the longest way.
Step distance_bound(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits) {
  const std::int32_t distance = links::greatest_distance(grid, packets);
  return distance == 0 ? 0 : distance + flits - 1;
}

Json plan_json(const Grid& grid, const std::vector<Packet>& packets, const links::Plan& plan) {
  const Step bound = distance_bound(grid, packets, plan.flits);
  const bool complete = std::all_of(plan.journeys.begin(), plan.journeys.end(),
                                    [](const links::Journey& journey) { return journey.planned(); });
  const bool optimal = complete && plan.length() == bound;
  Json json;
  json["length"] = complete ? Json(plan.length()) : Json();
  json["distance"] = links::greatest_distance(grid, packets);
  json["bounds"] = {{"distance", bound}};
  json["optimum"] = optimal ? Json(plan.length()) : Json();
  json["status"] = optimal ? "optimal" : "unknown";
  json["starts"] = Json::array();
  for (const links::Journey& journey : plan.journeys)
    json["starts"].push_back(journey.planned() ? Json(journey.start) : Json());
  if (const auto legs = links::first_legs(grid, packets, plan)) {
    json["first"] = Json::array();
    for (const links::FirstLeg leg : *legs) json["first"].push_back(leg == links::FirstLeg::horizontal ? "H" : "V");
  }
  return json;
}

void save(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("{}: the plan cannot be written", file.string()));
}

/// Packets of the traffic, which has an end where there is a plan.
std::vector<Packet> packets_of(Traffic& traffic) {
  std::vector<Packet> packets;
  traffic.generate(0, traffic.end().value(), packets);
  return packets;
}

std::vector<std::string> planners() {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : links::algorithm_table())
    if (entry.off_line) names.push_back(entry.name);
  return names;
}

std::string why_no_plan(const AlgorithmEntry& entry) {
  if (std::holds_alternative<links::MakeAlgorithm>(entry.make)) return entry.name + " routes on line and makes no plan";
  return entry.name + " is for pops networks and prints no plan";
}

}  // namespace

Ending plan_experiment(const PlanOptions& options) {
  const Experiment experiment = load_experiment(options.experiment.file, overrides_of(options.experiment));
  if (!experiment.algorithm->off_line)
    throw InputError(fmt::format("{}: routing.algorithm: {}; these do: {}",
                                 experiment.place("routing.algorithm").text(), why_no_plan(*experiment.algorithm),
                                 fmt::join(planners(), ", ")));
  const auto setup = set_up(experiment);
  if (setup->traffic->ranks())
    throw InputError(fmt::format("{}: traffic.pattern: ranks stand for many plans; use starloom run",
                                 experiment.place("traffic.pattern").text()));
  const std::vector<Packet> packets = packets_of(*setup->traffic);
  const links::Plan& plan = *setup->algorithm->plan();
  if (options.save) save(*options.save, links::saved_plan_text(*setup->network->as<Grid>(), packets, plan));
  fmt::print("{}", json_text(plan_json(*setup->network->as<Grid>(), packets, plan)));
  return {};
}

}  // namespace starloom

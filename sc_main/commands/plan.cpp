#include <starloom/commands/plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <starloom/core/error.hpp>
#include <starloom/results/result.hpp>

namespace starloom {
namespace {

void save(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("{}: the plan cannot be written", file.string()));
}

/// Better now than after hours of search.
void check_proof(const PlanRequest& request) {
  if (!request.proof) return;
  if (!request.optimal && !request.length)
    throw InputError("starloom plan: --proof goes with --optimal or --length: something has to be proved");
  if (!std::ofstream(*request.proof, std::ios::binary | std::ios::trunc))
    throw OutputError(fmt::format("{}: the proof cannot be written", request.proof->string()));
}

std::vector<std::string> planners(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    if (entry.off_line) names.push_back(entry.name);
  return names;
}

std::string why_none(const AlgorithmEntry& entry) {
  // Programs of couplers may know all packets, but have no journeys over links.
  if (!entry.storage) return fmt::format("is for {} networks and prints no plan", fmt::join(entry.topologies, " and "));
  return "routes on line and makes no plan";
}

/// Writes the scenario, and its permutation beside it.
void save_scenario(const PlanOptions& options, HuntedPlan& hunted) {
  const std::filesystem::path scenario =
      options.save ? *options.save
                   : std::filesystem::path("out") / (options.experiment.file.stem().string() + "_falsified.yaml");
  std::filesystem::path permutation = scenario;
  permutation.replace_extension(".permutation");
  std::error_code ignored;
  if (!options.save) std::filesystem::create_directories(scenario.parent_path(), ignored);
  save(permutation, hunted.permutation);
  save(scenario, hunted.scenario(permutation.filename().string()));
  hunted.figures["scenario"] = scenario.string();
}

}  // namespace

Ending plan_experiment(const Catalogue& catalogue, const PlanOptions& options) {
  const Experiment experiment = load_experiment(catalogue, options.experiment.file, overrides_of(options.experiment));
  const AlgorithmEntry& entry = *experiment.algorithm;
  if (!entry.off_line)
    throw InputError(fmt::format("{}: routing.algorithm: {}; these do: {}",
                                 experiment.place("routing.algorithm").text(), entry.name + " " + why_none(entry),
                                 fmt::join(planners(catalogue), ", ")));
  check_proof(options.request);
  const auto run = prepare(experiment);
  const RunFacts facts = run->facts();
  if (!facts.plan)
    throw InputError(fmt::format("{}: traffic.pattern: ranks stand for many plans; use starloom run",
                                 experiment.place("traffic.pattern").text()));
  if (options.falsify) {
    HuntedPlan hunted = facts.hunt(options.request.seconds);
    if (hunted.scenario) save_scenario(options, hunted);
    fmt::print("{}", json_text(hunted.figures));
    return {};
  }
  const PlannedRun plan = facts.plan(options.request);
  if (options.save) save(*options.save, plan.saved());
  fmt::print("{}", json_text(plan.figures));
  return {};
}

}  // namespace starloom

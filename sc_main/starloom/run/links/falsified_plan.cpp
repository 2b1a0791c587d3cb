// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/falsified_plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/algorithms/schedule_player/order_keys.hpp>
#include <starloom/search/falsifier.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

FalsifyOptions hunt_options(const Experiment& experiment) {
  const KeyValues& keys = experiment.routing;
  const bool one_bend = experiment.algorithm->takes_ranks && !keys.has("plan") && !keys.boolean("stage_limit") &&
                        keys.text("scheme") != "any";
  if (!one_bend)
    throw InputError(fmt::format(
        "{}: routing: --falsify needs multistage with scheme PS, HF or VF, and neither stage_limit nor plan",
        experiment.location("routing").text()));
  FalsifyOptions options;
  options.planner.ordering = ordering_of(keys, experiment.seed);
  options.planner.scheme = path_scheme_named(keys.text("scheme"));
  options.seed = experiment.seed;
  return options;
}

const char* name_of(BoundKind bound_kind) { return bound_kind == BoundKind::diameter ? "diameter" : "distance"; }

std::string scenario_text(const Grid& grid, const Experiment& experiment, const Counterexample& prey,
                          const std::string& permutation_file) {
  const KeyValues& keys = experiment.routing;
  return fmt::format(
      "{}: a plan of {} stages, longer than the {}, which is {}.\n"
      "schema: 1\n"
      "network: {{topology: mesh, shape: [{}]}}\n"
      "routing: {{algorithm: {}, order: {}, lexicographic: {}, scheme: {}, tie: {}}}\n"
      "traffic: {{pattern: file, file: {}}}\n"
      "seed: {}\n"
      "expect:\n"
      "  outcome: completed\n"
      "  distance.max: {}\n"
      "  steps: {}\n"
      "  algorithm.length: {}\n",
      FalsifiedPlan::mark, prey.length, name_of(prey.exceeds),
      prey.exceeds == BoundKind::diameter ? grid.diameter() : prey.distance, fmt::join(grid.shape(), ", "),
      experiment.algorithm->name, keys.text("order"), keys.boolean("lexicographic"), keys.text("scheme"),
      keys.text("tie"), permutation_file, experiment.seed, prey.distance, prey.length, prey.length);
}

}  // namespace

FalsifiedPlan falsified_plan(const Grid& grid, const Experiment& experiment, std::optional<double> seconds) {
  const FalsifyResult result = falsify(grid, hunt_options(experiment), Deadline(seconds));
  FalsifiedPlan hunted;
  hunted.metrics["status"] = result.found == Answer::yes ? "found" : result.found == Answer::no ? "none" : "unknown";
  hunted.metrics["diameter"] = grid.diameter();
  if (!result.prey) return hunted;
  const Counterexample& prey = *result.prey;
  hunted.metrics["exceeds"] = name_of(prey.exceeds);
  hunted.metrics["length"] = prey.length;
  hunted.metrics["distance"] = prey.distance;
  hunted.metrics["found_by"] = prey.found_by;
  hunted.metrics["destinations"] = prey.destinations;
  hunted.permutation = fmt::format("{}\n", fmt::join(prey.destinations, " "));
  hunted.scenario = [&grid, &experiment, prey](const std::string& permutation_file) {
    return scenario_text(grid, experiment, prey, permutation_file);
  };
  return hunted;
}

}  // namespace starloom::links

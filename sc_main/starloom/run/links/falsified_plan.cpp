// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/falsified_plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/algorithms/schedule_player/order_keys.hpp>
#include <starloom/search/falsifier.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

FalsifyOptions falsify_options(const Experiment& experiment) {
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

std::string scenario_text(const Grid& grid, const Experiment& experiment, const Counterexample& counterexample,
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
      FalsifiedPlan::mark, counterexample.length, name_of(counterexample.exceeds),
      counterexample.exceeds == BoundKind::diameter ? grid.diameter() : counterexample.distance,
      fmt::join(grid.shape(), ", "), experiment.algorithm->name, keys.text("order"), keys.boolean("lexicographic"),
      keys.text("scheme"), keys.text("tie"), permutation_file, experiment.seed, counterexample.distance,
      counterexample.length, counterexample.length);
}

}  // namespace

FalsifiedPlan falsified_plan(const Grid& grid, const Experiment& experiment, std::optional<double> seconds) {
  const FalsifyResult result = falsify(grid, falsify_options(experiment), Deadline(seconds));
  FalsifiedPlan found;
  found.metrics["status"] = result.found == Answer::yes ? "found" : result.found == Answer::no ? "none" : "unknown";
  found.metrics["diameter"] = grid.diameter();
  if (!result.counterexample) return found;
  const Counterexample& counterexample = *result.counterexample;
  found.metrics["exceeds"] = name_of(counterexample.exceeds);
  found.metrics["length"] = counterexample.length;
  found.metrics["distance"] = counterexample.distance;
  found.metrics["found_by"] = counterexample.found_by;
  found.metrics["destinations"] = counterexample.destinations;
  found.permutation = fmt::format("{}\n", fmt::join(counterexample.destinations, " "));
  found.scenario = [&grid, &experiment, counterexample](const std::string& permutation_file) {
    return scenario_text(grid, experiment, counterexample, permutation_file);
  };
  return found;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/results/result.hpp>
#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/text_writer.hpp>
#include <system_error>
#include <vector>

namespace starloom {
namespace {

/// Files that --falsify writes.
struct FalsifyFiles {
  std::filesystem::path scenario, permutation;
};
FalsifyFiles falsify_files(const PlanOptions& options) {
  FalsifyFiles files;
  files.scenario = options.save
                       ? *options.save
                       : std::filesystem::path("out") / (options.experiment.file.stem().string() + "_falsified.yaml");
  files.permutation = files.scenario;
  files.permutation.replace_extension(".permutation");
  return files;
}

/// True if --falsify without --save, which writes into out/ under a name of its own, would replace the files of an
/// earlier one.
bool is_earlier_search(const PlanOptions& options) {
  return options.falsify && !options.save && has_mark(falsify_files(options).scenario, FalsifiedPlan::mark);
}

std::vector<std::filesystem::path> files_to_write(const PlanOptions& options) {
  std::vector<std::filesystem::path> files;
  if (options.falsify) files = {falsify_files(options).scenario, falsify_files(options).permutation};
  else if (options.save) files = {*options.save};
  if (const auto& proof = options.request.proof) files.insert(files.end(), {*proof, proof->string() + ".cnf"});
  return files;
}

/// Checked before hours of search.
void check_outputs(const PlanOptions& options) {
  const PlanRequest& request = options.request;
  if (request.proof && !request.optimal && !request.length)
    throw InputError("starloom plan: --proof needs --optimal or --length, which give it a statement to prove");
  for (const std::filesystem::path& file : files_to_write(options)) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, options.experiment.file, ignored))
      throw OutputError(fmt::format("{}: is the experiment itself; choose another name", file.string()));
    if (std::filesystem::is_regular_file(file, ignored) && !options.force && !is_earlier_search(options))
      throw OutputError(fmt::format("{}: exists; --force replaces it", file.string()));
    if (options.falsify && !options.save) make_folder_of(file);
    require_writable(file);
  }
}

std::vector<std::string> planners(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    if (entry.off_line) names.push_back(entry.name);
  return names;
}

std::string why_none(const Catalogue& catalogue, const AlgorithmEntry& entry) {
  // Programs of couplers may need all packets, but have no journeys over links.
  if (!entry.storage)
    return fmt::format("is an algorithm for {} networks, which plan does not cover",
                       fmt::join(catalogue.served_by(entry), " and "));
  return "routes online and has no plan";
}

/// Writes the scenario, and its permutation beside it.
void save_scenario(const PlanOptions& options, FalsifiedPlan& hunted) {
  const FalsifyFiles files = falsify_files(options);
  write_text(files.permutation, hunted.permutation);
  write_text(files.scenario, hunted.scenario(files.permutation.filename().string()));
  hunted.metrics["scenario"] = shown(files.scenario);
}

}  // namespace

Ending plan_experiment(const Catalogue& catalogue, const PlanOptions& options) {
  const Experiment experiment = load_experiment(catalogue, options.experiment.file, overrides_of(options.experiment));
  const AlgorithmEntry& entry = *experiment.algorithm;
  if (!entry.off_line)
    throw InputError(experiment.location("routing.algorithm")
                         .before(fmt::format("routing.algorithm: {} {}; planners are: {}", entry.name,
                                             why_none(catalogue, entry), fmt::join(planners(catalogue), ", "))));
  check_outputs(options);
  const auto run = prepare(experiment);
  const RunFacts facts = run->facts();
  if (!facts.plan)
    throw InputError(fmt::format("{}: traffic.pattern: ranks describes many plans; use starloom run",
                                 experiment.location("traffic.pattern").text()));
  if (options.falsify) {
    FalsifiedPlan hunted = facts.falsify(options.request.seconds);
    if (hunted.scenario) save_scenario(options, hunted);
    fmt::print("{}", json_text(hunted.metrics));
    return {};
  }
  const PlannedRun plan = facts.plan(options.request);
  if (options.save) write_text(*options.save, plan.saved());
  fmt::print("{}", json_text(plan.metrics));
  return {};
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/check.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/commands/progress.hpp>
#include <starloom/commands/run_waves.hpp>
#include <starloom/experiment/metric_table.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
Ending check_experiment(const Catalogue& catalogue, const ExperimentOptions& options, bool json) {
  const Experiment experiment = load_experiment(catalogue, options.file, overrides_of(options));
  const StageLine stages;
  stages.begin("the network and its packets");
  const auto run = prepare(experiment);
  if (experiment.waves) choose_waves(experiment, *run);
  PreflightReport preflight = run->preflight([&stages](const char* what) { stages.begin(what); });
  stages.end();
  if (json) {
    fmt::print("{}", json_text(preflight.facts));
    return {};
  }
  const KnownMetrics metrics({experiment.algorithm}, catalogue.algorithms);
  for (const Expectation& expectation : experiment.expect)
    if (const auto error = metrics.error(expectation.path)) {
      preflight.lines.insert(preflight.lines.begin(), line_text("warning", "expect." + *error));
      preflight.concerns.emplace_back("an expectation cannot be met");
    }
  fmt::print("{}: valid{}{}\n", shown(options.file), preflight.concerns.empty() ? "" : "; ",
             fmt::join(preflight.concerns, "; "));
  for (const std::string& line : preflight.lines) fmt::print("{}\n", line);
  return {};
}

}  // namespace starloom

#include <starloom/commands/check.hpp>

#include <fmt/format.h>

#include <starloom/commands/run_waves.hpp>
#include <starloom/kinds/prepared_run.hpp>

namespace starloom {

Ending check_experiment(const Catalogue& catalogue, const ExperimentOptions& options) {
  const Experiment experiment = load_experiment(catalogue, options.file, overrides_of(options));
  const auto run = prepare(experiment);
  if (experiment.waves) choose_waves(experiment, *run);
  fmt::print("{}: valid\n", options.file.string());
  for (const std::string& line : run->prospects()) fmt::print("{}\n", line);
  return {};
}

}  // namespace starloom

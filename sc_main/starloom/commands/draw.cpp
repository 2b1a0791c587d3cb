// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/draw.hpp>

#include <fmt/format.h>

#include <starloom/run/prepared_run.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

const std::vector<std::string> formats = {"svg", "json"};

}  // namespace

Ending draw_experiment(const Catalogue& catalogue, const DrawOptions& options) {
  if (!contains(formats, options.format))
    throw InputError("starloom draw: " + unknown_name("format", options.format, formats));
  const Experiment experiment = load_experiment(catalogue, options.experiment.file, overrides_of(options.experiment));
  const Elaboration elaboration =
      prepare(experiment)->elaborate(options.format == "json" ? NetworkText::netlist : NetworkText::picture);
  fmt::print("{}", elaboration.text);
  return {ExitStatus::done, elaboration.leave_by_exit};
}

}  // namespace starloom

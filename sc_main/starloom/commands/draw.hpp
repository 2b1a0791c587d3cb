// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom draw`: the network of an experiment as a picture or as a list of its modules.
#include <string>

#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>

namespace starloom {

struct DrawOptions {
  ExperimentOptions experiment;
  std::string format = "svg";  ///< svg or json
};

/// Builds the netlist and prints it; no step runs.
Ending draw_experiment(const Catalogue& catalogue, const DrawOptions& options);

}  // namespace starloom

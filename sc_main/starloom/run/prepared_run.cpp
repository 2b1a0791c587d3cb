// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/prepared_run.hpp>

#include <starloom/run/links/prepared_run.hpp>
#include <starloom/run/pops/prepared_run.hpp>

namespace starloom {

std::unique_ptr<PreparedRun> prepare(const Experiment& experiment) {
  if (experiment.topology->has_couplers()) return pops::prepare(experiment);
  return links::prepare(experiment);
}

}  // namespace starloom

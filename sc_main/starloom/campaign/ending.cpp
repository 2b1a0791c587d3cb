// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/ending.hpp>

#include <starloom/experiment/verdict.hpp>

namespace starloom {

bool sound(Outcome outcome, const Experiment& experiment) {
  return outcome == Outcome::completed || outcome == Outcome::saturated || expects(experiment.expect, outcome);
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/ending.hpp>

#include <algorithm>

namespace starloom {

bool sound(Outcome outcome, const Experiment& experiment) {
  if (outcome == Outcome::completed || outcome == Outcome::saturated) return true;
  const std::string name(outcome_names[static_cast<std::size_t>(outcome)]);
  return std::any_of(experiment.expect.begin(), experiment.expect.end(), [&](const Expectation& expectation) {
    return expectation.path == "outcome" && expectation.equals && *expectation.equals == name;
  });
}

}  // namespace starloom

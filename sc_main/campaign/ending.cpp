#include "campaign/ending.hpp"

namespace starloom {

bool sound(Outcome outcome, const Experiment& experiment) {
  if (outcome == Outcome::completed || outcome == Outcome::saturated) return true;
  for (const Expectation& expectation : experiment.expect)
    if (expectation.path == "outcome" && expectation.equals &&
        *expectation.equals == std::string(outcome_names[static_cast<std::size_t>(outcome)]))
      return true;
  return false;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/verdict.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace starloom {
namespace {

ExitStatus status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed:
    case Outcome::saturated: return ExitStatus::done;
    case Outcome::violation: return ExitStatus::contract;
    case Outcome::incomplete:
    case Outcome::deadlock:
    case Outcome::livelock:
    case Outcome::step_limit:
    case Outcome::interrupted: break;
  }
  return ExitStatus::undelivered;
}

}  // namespace

bool expects(const std::vector<Expectation>& expectations, Outcome outcome) {
  const std::string name(outcome_names[static_cast<std::size_t>(outcome)]);
  return std::any_of(expectations.begin(), expectations.end(), [&](const Expectation& expectation) {
    return expectation.path == "outcome" && expectation.equals && *expectation.equals == name;
  });
}

bool sound(Outcome outcome, const std::vector<Expectation>& expectations) {
  return outcome == Outcome::completed || outcome == Outcome::saturated || expects(expectations, outcome);
}

Verdict judge(Outcome outcome, const std::vector<Expectation>& expectations, const nlohmann::ordered_json& result) {
  Verdict verdict;
  bool outcome_expected = false;
  for (const Expectation& expectation : expectations) {
    const auto miss = missed(expectation, result);
    if (miss)
      verdict.misses.push_back(
          fmt::format("{}: expectation missed: {}; if the new value is correct, update the expectation",
                      expectation.location.text(), *miss));
    else if (expectation.path == "outcome") outcome_expected = true;
  }
  verdict.status = outcome_expected ? ExitStatus::done : status_of(outcome);
  if (verdict.status == ExitStatus::done && !verdict.misses.empty()) verdict.status = ExitStatus::expectation;
  return verdict;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The exit status of a run: how it ended, and whether that and its figures were expected.
#include <string>
#include <vector>

#include <starloom/experiment/expectation.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

struct Verdict {
  ExitStatus status = ExitStatus::done;
  std::vector<std::string> misses;  ///< a sentence with its place for every expectation that is missed
};

/// `expect: {outcome}` names this one.
bool expects(const std::vector<Expectation>& expectations, Outcome outcome);

/// A result to go on with: completed, saturated, or an outcome that is expected.
bool sound(Outcome outcome, const std::vector<Expectation>& expectations);

/// An expected outcome, met, turns status 4, and 3 of a violation, into 0; a missed
/// expectation is 6 unless 3 or 4 applies.
Verdict judge(Outcome outcome, const std::vector<Expectation>& expectations, const nlohmann::ordered_json& result);

}  // namespace starloom

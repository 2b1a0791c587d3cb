// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The exit status of a run: from its outcome, and whether outcome and metrics were expected.
#include <string>
#include <vector>

#include <starloom/experiment/expectation.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

struct Verdict {
  ExitStatus status = ExitStatus::done;
  std::vector<std::string> misses;  ///< a sentence with its location for every missed expectation
};

/// `expect: {outcome}` names this one.
bool expects(const std::vector<Expectation>& expectations, Outcome outcome);

/// True for a regular result: completed, saturated, or an outcome that is expected.
bool sound(Outcome outcome, const std::vector<Expectation>& expectations);

/// An expected outcome changes status 4, and 3 of a violation, to 0; a missed expectation is 6 unless 3 or 4 applies.
Verdict judge(Outcome outcome, const std::vector<Expectation>& expectations, const nlohmann::ordered_json& result);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How a run ends, and where it ends that does not end by itself (docs/output.md, "Outcomes").
#include <optional>
#include <string_view>

#include <starloom/core/ids.hpp>

namespace starloom {

enum class Outcome { completed, saturated, incomplete, deadlock, livelock, step_limit, violation, interrupted };
inline constexpr std::string_view outcome_names[] = {"completed", "saturated",  "incomplete", "deadlock",
                                                     "livelock",  "step-limit", "violation",  "interrupted"};

/// `limits:` of an experiment.
struct Limits {
  std::optional<Step> steps;  ///< the run executes at most steps 0 .. steps-1
  Step quiet = 100'000;       ///< steps with movement and no arrival (livelock), or without movement (deadlock)
  /// Open loop: a mean latency above this times the one without contention ends the run as saturated, and an overload ends
  /// it before the drain; nullopt: neither does.
  std::optional<double> latency{};
};

}  // namespace starloom

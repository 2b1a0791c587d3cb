// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Limits of runs that do not end by themselves.
#include <optional>

#include <starloom/core/ids.hpp>

namespace starloom {

/// `limits:` of an experiment.
struct Limits {
  std::optional<Step> steps;  ///< the run executes at most steps 0 .. steps-1
  Step quiet = 100'000;       ///< steps with movement and no arrival (livelock), or without movement (deadlock)
  /// Open loop: a mean latency above this times the one without contention ends the run as saturated, and an overload
  /// ends it before the drain; nullopt: neither does.
  std::optional<double> latency{};
  Step end_of_time = no_step;  ///< the first step that has no time in SystemC; none: no_step
};

}  // namespace starloom

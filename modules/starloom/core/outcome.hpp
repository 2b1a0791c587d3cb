// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Outcomes of runs, in the words of `result.json` (docs/output.md, "Outcomes" and "Open loop").
#include <string_view>

namespace starloom {

enum class Outcome { completed, saturated, incomplete, deadlock, livelock, step_limit, violation, interrupted };
inline constexpr std::string_view outcome_names[] = {"completed", "saturated",  "incomplete", "deadlock",
                                                     "livelock",  "step-limit", "violation",  "interrupted"};

/// The reason why a run is saturated; if several apply, the first of this list.
enum class SaturationReason {
  full,     ///< a link or local port was taken in every measured step, and flits wait
  backlog,  ///< the number of flits that wait grew
  drain,    ///< packets of the measurement phase did not arrive within the drain
  latency   ///< the mean latency is above `limits.latency`; whether the network carries the load is not known
};
inline constexpr std::string_view saturation_reason_names[] = {"full", "backlog", "drain", "latency"};

}  // namespace starloom

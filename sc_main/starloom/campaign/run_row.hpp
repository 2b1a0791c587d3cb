// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The data of a run that a campaign keeps.
#include <cstdint>
#include <string>

#include <starloom/simulation/links/watchdog.hpp>

namespace starloom {

/// One run of a point.
struct RunRow {
  std::int64_t index = 0;
  Outcome outcome = Outcome::completed;
  std::string metrics;                ///< the kept metrics as `Metrics::pick` writes them
  std::string result;                 ///< the whole result.json with `keep: all`, else empty
  std::int64_t cpu_microseconds = 0;  ///< CPU time of the run; not a result
};

}  // namespace starloom

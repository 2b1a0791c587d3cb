// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The length of the schedule of a run, as a metric.
#include <cstdint>
#include <string>

namespace starloom {

/// Steps that a machine needs if it cannot observe globally that all packets have arrived (docs/output.md, `schedule`).
struct Schedule {
  std::int64_t steps = 0;
  std::string unit;
  std::int64_t units = 0;
  std::int64_t steps_per_unit = 0;
};

}  // namespace starloom

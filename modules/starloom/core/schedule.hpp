// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of a run as a figure.
#include <cstdint>
#include <string>

namespace starloom {

/// What a machine without a global observer must be charged (docs/output.md, `schedule`).
struct Schedule {
  std::int64_t steps = 0;
  std::string unit;
  std::int64_t units = 0;
  std::int64_t steps_per_unit = 0;
};

}  // namespace starloom

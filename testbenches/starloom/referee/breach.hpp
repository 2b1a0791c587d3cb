// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The error of a referee's check.
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/violation.hpp>

namespace starloom {

/// Thrown at the first broken rule; never leaves the referee.
struct Breach {
  Violation violation;
};

}  // namespace starloom

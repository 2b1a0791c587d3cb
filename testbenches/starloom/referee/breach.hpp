// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How the checks of a referee say that a rule is broken.
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/violation.hpp>

namespace starloom {

/// Thrown at the first broken rule; never leaves the referee.
struct Breach {
  Violation violation;
};

}  // namespace starloom

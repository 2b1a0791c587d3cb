// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which part of a run a trace holds.
#include <starloom/core/ids.hpp>

namespace starloom {

/// Steps, or slots, whose rows are written: `from` included, `to` not.
struct TraceWindow {
  Step from = 0;
  Step to = no_step;  ///< no_step: to the end
};

}  // namespace starloom

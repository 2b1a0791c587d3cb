// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The part of a run that a trace covers.
#include <starloom/core/ids.hpp>

namespace starloom {

/// Steps, or slots, whose rows are written: from `from`, before `to`.
struct TraceWindow {
  Step from = 0;
  Step to = no_step;  ///< no_step: to the end
};

}  // namespace starloom

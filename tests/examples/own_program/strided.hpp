// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A user's traffic pattern: an array that is distributed over all processors.
#include <starloom/traffic/traffic.hpp>

namespace own {

/// Line i of an array is in processor i mod n, like the lines of a cache with many slices. Processor v requests lines
/// v + stride, v + 2 * stride and so on, one per step from step 0.
starloom::PatternEntry strided_entry();

}  // namespace own

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A traffic pattern of one's own: an array that is spread over all processors.
#include <starloom/traffic/traffic.hpp>

namespace own {

/// Line i of an array lies with processor i mod n, as lines do in a cache of many slices. Processor v asks for lines
/// v + stride, v + 2 * stride and so on, one a step from step 0.
starloom::PatternEntry strided_entry();

}  // namespace own

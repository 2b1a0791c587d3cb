// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A range of permutations, which planners plan one by one, in the place of traffic.
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Creates no packets; `Traffic::ranks` is the range. It stands behind all patterns that create some.
PatternEntry ranks_entry();

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A range of permutations for planners, which plan them one by one, instead of traffic.
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Creates no packets; `Traffic::ranks` is the range. It is the last pattern in the list.
PatternEntry ranks_entry();

}  // namespace starloom

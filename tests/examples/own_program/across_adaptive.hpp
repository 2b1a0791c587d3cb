// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing function of your own, for routers of spidergons.
#include <starloom/routing/function_entry.hpp>

namespace own {

/// A packet may cross the ring only at its source; after that it moves along the ring. If both paths have about the
/// same length, the router chooses. Deadlock-free: the ring has datelines at node 0.
starloom::routing::FunctionEntry across_adaptive_entry();

}  // namespace own

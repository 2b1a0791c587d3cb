// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An arbiter of your own, for the allocators of routers.
#include <starloom/control/router_parts.hpp>

namespace own {

/// Picks the requester that was served the longest time ago; of those that never were, the lowest.
starloom::ArbiterEntry longest_unserved_entry();

}  // namespace own

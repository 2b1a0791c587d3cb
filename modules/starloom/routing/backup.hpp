// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A second routing function for the pairs that faults leave without a path.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The same entry with a key `backup: up-down`. With it, packets of pairs whose path is cut go by up*/down* in the last
/// channel, from their source on, and all others in the channels below it. No channel belongs to both, so that no
/// dependency leads from one to the other.
FunctionEntry with_backup_key(FunctionEntry entry);

/// The key, for algorithms that do not have it.
KeySpec backup_key();

}  // namespace starloom::routing

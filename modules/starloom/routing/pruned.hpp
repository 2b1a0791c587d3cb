// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing functions that know no faults, on what faults leave of their network.
#include <memory>

#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Offers those choices of a function of the whole network behind which a packet still has one wherever it can come:
/// first those of dead links and channels go, then those that lead to a state without a choice for which its head may
/// wait indefinitely (priority 0), and so on. A state is a node with the in-port, the in-channel, the destination and
/// the random choice of a packet. Packets draw random choices that still have a path; a pair of which no choice has
/// one is `without_path`. No dependency of channels is added, so what was acyclic stays acyclic.
/// \param context with faults, which are copied.
/// \throws InputError if the states take more than a gigabyte.
std::unique_ptr<RoutingFunction> pruned(std::unique_ptr<RoutingFunction> function, const FunctionContext& context);

/// The same for a function that knows dead links, if there are dead channels; else itself.
std::unique_ptr<RoutingFunction> without_dead_channels(std::unique_ptr<RoutingFunction> function,
                                                       const FunctionContext& context);

}  // namespace starloom::routing

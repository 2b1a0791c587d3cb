// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest paths on any network.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The fewest links, or the least sum of their latencies, depending on its key `weight`; of several ports that begin
/// such a path, the lowest, or by its key `spread` all. It does not prevent cyclic dependencies: the verdict of `check`
/// depends on the network.
FunctionEntry shortest_entry();

/// All ports that begin a path of the fewest links, in ascending order, as the adaptive part of other functions. Alone
/// they may close cycles.
/// \param name of the function that needs it, in messages. \throws InputError if the table takes more than a
/// gigabyte.
std::unique_ptr<RoutingFunction> all_shortest(const std::string& name, const FunctionContext& context,
                                              ChannelRange channels);
/// The first of these ports, with the length that the network prefers, as `shortest` without keys.
std::unique_ptr<RoutingFunction> first_shortest(const std::string& name, const FunctionContext& context,
                                                ChannelRange channels);

}  // namespace starloom::routing

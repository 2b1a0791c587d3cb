// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Equal paths: how packets are spread over the next hops that a routing function finds equally good.
#include <memory>

#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/next_hops.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::routing {

/// Selects which of several equal next hops a packet takes.
enum class Spread {
  none,    ///< the lowest port, always
  flow,    ///< in each node by a hash of the seed, the node, the source and the destination: one path a pair
  packet,  ///< in each node by a hash of the node and a word that the packet draws at its source
  /// The selection of the router, which looks at the ports in an order that begins at another one for each in-port, so
  /// that heads of the same step request different ports. Differences of credits that flits under way explain do not
  /// count (Choices::tolerate).
  adaptive,
};

/// The key of the spread, of functions that know equal paths.
KeySpec spread_key();
/// Its value; `none` if it is not given.
Spread spread_of(const KeyValues& keys);
/// The next hops that such a function keeps.
inline NextHops::Kept kept_for(Spread spread) {
  return spread == Spread::none ? NextHops::Kept::lowest : NextHops::Kept::all;
}

/// The function that spreads packets over the choices of `all`, by `Choice::weight`; `all` itself for `none`.
/// \param all a function without random choices that offers every next hop; the choices with a port are adjacent.
std::unique_ptr<RoutingFunction> spread_over(Spread spread, std::unique_ptr<RoutingFunction> all,
                                             const FunctionContext& context);

}  // namespace starloom::routing

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file UGAL on dragonflies and flattened butterflies.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The minimal path, or Valiant's through a random group (dragonfly) or switch (flattened butterfly): the router of the
/// source decides by the used places of the two first out-ports, weighted with the lengths of the paths (A. Singh,
/// "Load-Balanced Routing in Interconnection Networks", PhD thesis, Stanford University, 2005, UGAL; J. Kim, W. Dally,
/// S. Scott and D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008, UGAL-L). A minimal path
/// uses the channels that Valiant's path uses after its intermediate group or switch.
FunctionEntry ugal_entry();

}  // namespace starloom::routing

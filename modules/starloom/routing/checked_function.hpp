// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing functions that are held to their contract.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The same entry, whose functions throw a ContractError, with the name of the entry, as soon as they offer something
/// that routers cannot take: nothing at all, a port without a link, the local port before the destination, channels
/// outside their range, or a terminal that is not the destination. So a wrong function of a user's own ends in a
/// sentence; those of Starloom do without the check, which is their tests' business.
FunctionEntry checked(FunctionEntry entry);

}  // namespace starloom::routing

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Capabilities: the names by which algorithms and routing functions ask for what a network offers.
///
/// Every topology offers its own name, and every topology of links `connected`. A topology of a user's own that offers
/// the name of one of Starloom's makes networks with the same nodes, ports and links, so all that serves the one serves
/// the other. A capability of any other name is an agreement between a topology and the algorithms that need it.
#include <string>
#include <vector>

namespace starloom {

/// Every processor reaches every other.
inline constexpr const char* connected = "connected";

/// The capabilities of a network; the first is the name of its topology.
using Capabilities = std::vector<std::string>;

}  // namespace starloom

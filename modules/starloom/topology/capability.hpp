// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Capabilities: the names with which algorithms and routing functions require what a network offers.
///
/// Every topology offers its own name, and every topology of links `connected`. A user's topology that offers the
/// name of one of Starloom's makes networks with the same nodes, ports and links, so everything that supports the one
/// supports the other. Any other name is an agreement between a topology and the algorithms that require it.
#include <string>
#include <vector>

namespace starloom {

/// Every processor reaches every other.
inline constexpr const char* connected = "connected";

/// The capabilities of a network; the first is the name of its topology.
using Capabilities = std::vector<std::string>;

}  // namespace starloom

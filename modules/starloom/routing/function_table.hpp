// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The routing functions of Starloom, and the networks that are refused.
#include <string>
#include <vector>

#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The routing functions of Starloom. A new one adds its line to this table alone.
std::vector<FunctionEntry> standard_functions();

/// Refuses a function for a network that it does not serve.
/// \param functions all that the algorithm may follow.
/// \param offers of the network.
/// \param dimensions of its grid; 0 if it has none.
/// \throws ConfigError that says which functions do serve it.
void refuse_network(const std::vector<FunctionEntry>& functions, const FunctionEntry& function,
                    const Capabilities& offers, std::size_t dimensions);
/// Refuses too few channels, of a function that serves the network.
/// \param offers of the network.
/// \param sides of its grid; empty if it has none.
/// \param whose behind the purpose of the channels: ` of the replies`, or empty.
/// \throws ConfigError that says how many it needs.
void refuse_channels(const FunctionEntry& function, const Capabilities& offers, const std::vector<std::int64_t>& sides,
                     int channels, const std::string& whose = "");

}  // namespace starloom::routing

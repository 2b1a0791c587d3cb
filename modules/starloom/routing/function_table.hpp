// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The routing functions of Starloom, and errors for networks that they do not support.
#include <string>
#include <vector>

#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The routing functions of Starloom. A new one is added to this table only.
std::vector<FunctionEntry> standard_functions();

/// Refuses a function for a network that it does not support.
/// \param functions all that the algorithm may follow.
/// \param offers of the network.
/// \param dimensions of its grid; 0 if it has none.
/// \throws ConfigError that names the functions that support the network.
void refuse_network(const std::vector<FunctionEntry>& functions, const FunctionEntry& function,
                    const Capabilities& offers, std::size_t dimensions);
/// Refuses too few channels for a function that supports the network.
/// \param offers of the network.
/// \param sides of its grid; empty if it has none.
/// \param whose appended to the purpose of the channels: ` of the replies`, or empty.
/// \throws ConfigError with the number of channels that it needs.
void refuse_channels(const FunctionEntry& function, const Capabilities& offers, const std::vector<std::int64_t>& sides,
                     int channels, const std::string& whose = "");

}  // namespace starloom::routing

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All routing functions by name.
#include <string>
#include <vector>

#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A new routing function adds its line here and nothing elsewhere.
const std::vector<FunctionEntry>& function_table();
/// The entry of a name, which is one of the table.
const FunctionEntry& function_of(const std::string& name);
/// The names of the table, all or those that are `fixed`.
std::vector<std::string> function_names(bool fixed_only = false);

/// Refuses a function for a network that it does not serve.
/// \param offers of the network.
/// \param dimensions of its grid; 0 if it has none.
/// \throws InputError that says which functions do serve it.
void refuse_network(const FunctionEntry& function, const Capabilities& offers, std::size_t dimensions);
/// Refuses ties for a function that goes its own way.
/// \throws InputError that says which functions have them.
void refuse_ties(const FunctionEntry& function, Ties ties);
/// Refuses too few channels, of a function that serves the network.
/// \param offers of the network.
/// \param sides of its grid; empty if it has none.
/// \param whose behind the purpose of the channels: ` of the replies`, or empty.
/// \throws InputError that says how many it needs.
void refuse_channels(const FunctionEntry& function, const Capabilities& offers, const std::vector<std::int64_t>& sides,
                     int channels, const std::string& whose = "");

}  // namespace starloom::routing

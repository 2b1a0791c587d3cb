// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom list`: the algorithms, patterns and topologies that there are.
#include <nlohmann/json.hpp>
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// For programs: names, topologies, storage and keys as JSON.
nlohmann::ordered_json list_json(const Catalogue& catalogue);
/// For people: names, what they are, their keys.
std::string list_text(const Catalogue& catalogue);

}  // namespace starloom

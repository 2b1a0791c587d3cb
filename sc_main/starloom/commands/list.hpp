// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom list`: the entries of a catalogue.
#include <nlohmann/json.hpp>
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// For programs: names, topologies, storage and keys as JSON.
nlohmann::ordered_json list_json(const Catalogue& catalogue);
/// For people: a line for each entry, in one of two sections: networks, or routing theory and optics.
std::string list_text(const Catalogue& catalogue);

}  // namespace starloom

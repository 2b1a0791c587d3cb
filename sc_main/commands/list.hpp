#pragma once
/// \file `starloom list`: the algorithms and patterns that there are.
#include <nlohmann/json.hpp>
#include <string>

namespace starloom {

/// For programs (INTERFACE, section 1).
nlohmann::ordered_json list_json();
/// For people: names, what they are, their keys.
std::string list_text();

}  // namespace starloom

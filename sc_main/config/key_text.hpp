#pragma once
/// \file The legal values of a key in words, for faults and for `explain`.
#include <string>

#include <starloom/core/keys.hpp>

namespace starloom {

/// `integer`, `list of integers`, `true or false`, ...
std::string type_text(const KeySpec& spec);
/// What a value of the type is called: `an integer`, `true or false`, ...
std::string expected_text(KeyType type);
/// `1 to 64`, `0 or more`, `any`; for lists, of every element.
std::string range_text(const KeySpec& spec);
/// `100000`, `mesh`, `required`, or `none` where the absence of the key means something of its own.
std::string default_text(const KeySpec& spec);

}  // namespace starloom

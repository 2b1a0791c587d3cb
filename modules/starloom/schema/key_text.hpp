// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The legal values of a key in words, for errors and for `explain`.
#include <string>

#include <starloom/schema/keys.hpp>

namespace starloom {

/// `integer`, `list of integers`, `true or false`, ...
std::string type_text(const KeySpec& spec);
/// `1 to 64`, `0 or more`, `any`; for lists, of every element.
std::string range_text(const KeySpec& spec);
/// A value as the user would write it; `none` for null.
std::string value_text(const KeyValue& value);
/// `100000`, `mesh`, `required`, `required with reply`, or `none` if the absence of the key has a meaning.
std::string default_text(const KeySpec& spec);

/// "an integer is expected, not a list"; `shown`: the value found instead.
std::string mistyped_text(const KeySpec& expected, const std::string& shown);
/// "0 is out of range (1 to 64)".
std::string out_of_range_text(const KeySpec& spec, const std::string& shown);
/// "pipeline and stages give the same", for a key that is given beside its section.
std::string twice_given_text(const KeySpec& spec);
/// "network.shape is missing (nodes along each dimension)"; `name`: the key as in messages.
std::string missing_text(const KeySpec& spec, const std::string& name);

}  // namespace starloom

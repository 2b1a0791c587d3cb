// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks of the values of keys against their table.
#include <map>
#include <string>
#include <vector>

#include <starloom/schema/keys.hpp>

namespace starloom {

/// The error in a value, a sentence without the key; empty if there is none. Null is legal if the key is neither
/// required nor has a default. `shown`: the value as it was written, if the sentence is to quote that.
std::string value_error(const KeySpec& spec, const KeyValue& value, std::string shown = {});

/// The values of all keys of a table: those given, and defaults. `owner` begins the text of an error.
/// \throws InputError for the first key that is unknown, missing, mistyped or out of range.
KeyValues checked_values(const std::vector<KeySpec>& table, std::map<std::string, KeyValue> given,
                         const std::string& owner);

}  // namespace starloom

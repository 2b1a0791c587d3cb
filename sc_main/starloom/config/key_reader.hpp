// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks a section of an experiment against its table of keys.
#include <functional>
#include <string>
#include <vector>

#include <starloom/config/document.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// The values of `table`'s keys in `section` (a map, or null: no key given), with defaults filled in. `path` is the
/// name of the section for messages, empty at the top. Keys that are missing, mistyped or out of range are added to
/// `diagnostics`; such a key then has its default.
KeyValues read_keys(const DocumentValue& section, const std::vector<KeySpec>& table, const std::string& path,
                    Diagnostics& diagnostics);

/// The error for a key that is unknown here but known elsewhere; "" if it is unknown everywhere.
using KnownElsewhere = std::function<std::string(const std::string& key)>;

/// Adds an error for every key of `section` that is given twice or not among `known`.
void check_key_names(const DocumentValue& section, const std::vector<std::string>& known, const std::string& path,
                     Diagnostics& diagnostics, const KnownElsewhere& elsewhere = {});
/// Adds an error for every key of `section` that is given twice.
void check_duplicates(const DocumentValue& section, const std::string& path, Diagnostics& diagnostics);

/// `path.key`, or the non-empty one of the two.
std::string key_path(const std::string& path, const std::string& key);

}  // namespace starloom

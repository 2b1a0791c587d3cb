// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Keys of the parts that an entry is made of, besides its own: each part of a table has keys of its own, or
/// shares them with others. A part has a `name` and `keys`.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/names.hpp>

namespace starloom {

/// The part of a name, which is in the table.
template <class Part>
const Part& part_named(const std::vector<Part>& parts, const std::string& name) {
  return *std::find_if(parts.begin(), parts.end(), [&name](const Part& part) { return part.name == name; });
}

/// The names of the parts that have a key.
template <class Part>
std::vector<std::string> owners_of(const std::vector<Part>& parts, const std::string& key) {
  std::vector<std::string> owners;
  for (const Part& part : parts)
    if (contains(names_of(part.keys), key)) owners.push_back(part.name);
  return owners;
}

/// The keys of all parts, sorted by name. None is required: each is for some parts only.
template <class Part>
std::vector<KeySpec> part_keys(const std::vector<Part>& parts) {
  std::map<std::string, KeySpec> keys;
  for (const Part& part : parts)
    for (const KeySpec& key : part.keys) keys.emplace(key.name, key).first->second.required = false;
  std::vector<KeySpec> sorted;
  for (const auto& [name, key] : keys) sorted.push_back(key);
  return sorted;
}

/// \param what a noun for the parts: `routing functions`. \throws InputError if two parts have different keys of one
/// name.
template <class Part>
void check_part_keys(const std::string& what, const std::vector<Part>& parts) {
  std::map<std::string, std::pair<const Part*, const KeySpec*>> known;
  for (const Part& part : parts)
    for (const KeySpec& key : part.keys) {
      const auto [other, fresh] = known.emplace(key.name, std::pair(&part, &key));
      if (!fresh && !(*other->second.second == key))
        throw InputError("starloom: the " + what + " " + other->second.first->name + " and " + part.name +
                         " have different keys called " + key.name + "; rename your own key");
    }
}

/// Refuses keys that none of the chosen parts has, and missing keys that one needs.
/// \param what a noun for a part: `function`. \param chosen names in the table, at least one.
/// \throws ConfigError with all errors; for a key of other parts it names these.
template <class Part>
void refuse_part_keys(const std::string& what, const std::vector<Part>& parts, const std::vector<std::string>& chosen,
                      const KeyValues& values) {
  std::vector<ConfigError::Diagnostic> diagnostics;
  for (const KeySpec& key : part_keys(parts)) {
    const std::vector<std::string> owners = owners_of(parts, key.name);
    const auto is_owner = [&owners](const std::string& name) { return contains(owners, name); };
    // Sections are there only if they are given, other keys always.
    const bool given = inner_section(key.name).empty() ? values.differs(key) : values.has(key.name);
    if (std::any_of(chosen.begin(), chosen.end(), is_owner) || !given) continue;
    diagnostics.push_back({key.name, "only " + joined_with_and(owners) + (owners.size() == 1 ? " has" : " have") +
                                         " the key " + key.name + ", not " + joined_with_and(chosen)});
  }
  for (const std::string& name : chosen)
    for (const KeySpec& key : part_named(parts, name).keys)
      if (key.required && !values.has(key.name))
        diagnostics.push_back({key.name, "missing: " + what + " " + name + " needs it (" + key.meaning + ")"});
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
}
template <class Part>
void refuse_part_keys(const std::string& what, const std::vector<Part>& parts, const Part& chosen,
                      const KeyValues& values) {
  refuse_part_keys(what, parts, std::vector<std::string>{chosen.name}, values);
}

}  // namespace starloom

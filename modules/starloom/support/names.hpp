// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The names of a table, and error texts for unknown names.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <starloom/support/nearest.hpp>

namespace starloom {

/// `name` of every entry of a table.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The names with ", " between them.
inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The same as part of a sentence: "a, b and c".
inline std::string joined_with_and(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// The same with at most `most` names: "a, b and 3 more".
inline std::string joined_with_and(std::vector<std::string> names, std::size_t most) {
  if (names.size() > most) {
    const std::string more = std::to_string(names.size() - most) + " more";
    names.resize(most);
    names.push_back(more);
  }
  return joined_with_and(names);
}

/// The text of an error for a name that is not in a list: "unknown topology mehs (did you mean mesh?); known: mesh,
/// torus".
inline std::string unknown_name(const std::string& what, const std::string& name,
                                const std::vector<std::string>& known) {
  return "unknown " + what + " " + name + did_you_mean(name, known) + "; known: " + joined(known);
}

}  // namespace starloom

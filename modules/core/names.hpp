#pragma once
/// \file The names of a table.
#include <string>
#include <vector>

namespace starloom {

/// `name` of every entry of a table.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

}  // namespace starloom

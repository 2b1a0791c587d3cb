// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The patterns of the catalogue, for tests that do not link the program.
#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/traffic/ranks.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// In the order of `standard_catalogue`.
inline const std::vector<PatternEntry>& all_patterns() {
  static const std::vector<PatternEntry> patterns = [] {
    std::vector<PatternEntry> all = pattern_table();
    for (const auto* const algorithms : {&links::algorithm_table(), &pops::algorithm_table()})
      for (const AlgorithmEntry& entry : *algorithms)
        for (const AlgorithmPattern& pattern : entry.patterns) all.push_back(pattern_entry(pattern));
    all.push_back(ranks_entry());
    return all;
  }();
  return patterns;
}

/// The entry of this name, or null.
inline const PatternEntry* find_pattern(const std::string& name) { return find_entry(all_patterns(), name); }

}  // namespace starloom

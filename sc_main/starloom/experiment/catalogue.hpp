// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What an experiment can name: topologies, algorithms and their parts, patterns. A value that is passed on, so
/// that a user's own program gives its own entries to the same commands.
#include <algorithm>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/control/router_parts.hpp>
#include <starloom/topology/topology_entry.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// Experiments refer to its entries, so it outlives them and does not change under them.
struct Catalogue {
  std::vector<TopologyEntry> topologies;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<PatternEntry> patterns;
  RouterParts parts{};  ///< of the algorithms that have parts

  /// Adds an entry of a user's own, an algorithm with its patterns. A part is added to all algorithms that have parts;
  /// its answers are checked, and results contain its keys only if they differ from their default values.
  void add(TopologyEntry entry) { topologies.push_back(std::move(entry)); }
  void add(AlgorithmEntry entry);
  void add(PatternEntry entry) { patterns.push_back(std::move(entry)); }
  void add(routing::FunctionEntry entry);
  void add(SelectionEntry entry);
  void add(ArbiterEntry entry);
  void add(AllocatorEntry entry);

  /// The names of the topologies whose networks an algorithm serves.
  std::vector<std::string> served_by(const AlgorithmEntry& algorithm) const;

  /// Every command does so first, so that a user's own program need not catch what its `main` throws.
  /// \throws InputError if two entries of a table have one name, if an entry is not complete, or if parts do not
  /// go together.
  void check() const;
};

/// The entry of this name; null if there is none. Patterns are found by old names as well (traffic/traffic.hpp).
template <class Entry>
const Entry* find_entry(const std::vector<Entry>& table, const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace starloom

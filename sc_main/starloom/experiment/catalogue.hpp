// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The names that an experiment can use: topologies, algorithms and their parts, patterns. A value that is
/// passed on, so that a user's program can add entries to the same commands.
#include <algorithm>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/control/router_parts.hpp>
#include <starloom/topology/topology_entry.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// Experiments refer to its entries, so it outlives them and must not change meanwhile.
struct Catalogue {
  std::vector<TopologyEntry> topologies;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<PatternEntry> patterns;
  RouterParts parts{};  ///< of the algorithms that have parts

  /// Adds a user's entry, an algorithm with its patterns. A part is added to all algorithms that have parts; its
  /// results are checked, and result.json contains its keys only if they differ from their default values.
  void add(TopologyEntry entry) { topologies.push_back(std::move(entry)); }
  void add(AlgorithmEntry entry);
  void add(PatternEntry entry) { patterns.push_back(std::move(entry)); }
  void add(routing::FunctionEntry entry);
  void add(SelectionEntry entry);
  void add(ArbiterEntry entry);
  void add(AllocatorEntry entry);

  /// The names of the topologies whose networks an algorithm supports.
  std::vector<std::string> served_by(const AlgorithmEntry& algorithm) const;

  /// Every command begins with it, so that a user's program need not catch exceptions of its `main`.
  /// \throws InputError if two entries of a table have the same name, if an entry is not complete, or if parts are
  /// not compatible.
  void check() const;
};

/// The entry of this name; null if there is none. Patterns are found by old names as well (traffic/traffic.hpp).
template <class Entry>
const Entry* find_entry(const std::vector<Entry>& table, const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace starloom

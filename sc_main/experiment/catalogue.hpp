#pragma once
/// \file What an experiment can name: topologies, algorithms, patterns. A value that is passed on, so that a user's own
/// program gives its own entries to the same commands.
#include <starloom/controllers/algorithm_entry.hpp>
#include <starloom/topology/topology_entry.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Experiments refer to its entries, so it outlives them and does not change under them.
struct Catalogue {
  std::vector<TopologyEntry> topologies;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<PatternEntry> patterns;

  /// Adds an entry of a user's own. \throws InputError if there is one of this name.
  void add(TopologyEntry entry);
  void add(AlgorithmEntry entry);
  void add(PatternEntry entry);
};

/// Everything that Starloom brings, in the order of `starloom list`.
Catalogue standard_catalogue();

}  // namespace starloom

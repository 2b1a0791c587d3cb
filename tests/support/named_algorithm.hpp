// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm of the table, or a probe, by name, with default keys except those given.
#include <algorithm>
#include <stdexcept>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/control/links/make_algorithm.hpp>

#include "probes/probes.hpp"
#include "support/networks.hpp"

namespace starloom::links {

/// Those of the table, and the probes.
inline const std::vector<AlgorithmEntry>& tested_algorithms() {
  static const std::vector<AlgorithmEntry> all = [] {
    std::vector<AlgorithmEntry> entries = algorithm_table();
    entries.insert(entries.end(), probe_table().begin(), probe_table().end());
    return entries;
  }();
  return all;
}
inline const AlgorithmEntry& tested_algorithm(const std::string& name) {
  const auto& all = tested_algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == name; });
  if (found == all.end()) throw std::invalid_argument("no algorithm is called " + name);
  return *found;
}

/// `packets`: what offline algorithms plan for. The network must outlive the algorithm.
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const LinkNetwork& network,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  return make_algorithm(tested_algorithm(name), {&network, 1, packets}, keys);
}
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const Grid& grid,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  return named_algorithm(name, network_of(grid), keys, packets);
}

}  // namespace starloom::links

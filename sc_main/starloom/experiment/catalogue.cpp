// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/catalogue.hpp>

#include <set>

#include <starloom/algorithms/links/algorithm_table.hpp>
#include <starloom/algorithms/pops/algorithm_table.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

template <class Entry>
void require_different_names(const std::vector<Entry>& table, const std::string& what) {
  std::set<std::string> names;
  for (const Entry& entry : table)
    if (!names.insert(entry.name).second)
      throw InputError("starloom: there is " + what + " called " + entry.name + " already; rename your own entry");
}

}  // namespace

void Catalogue::check() const {
  require_different_names(topologies, "a topology");
  require_different_names(algorithms, "an algorithm");
  require_different_names(patterns, "a pattern");
  for (const TopologyEntry& entry : topologies) check_entry(entry);
}

std::vector<std::string> Catalogue::served_by(const AlgorithmEntry& algorithm) const {
  std::vector<std::string> names;
  for (const TopologyEntry& entry : topologies)
    if (algorithm.serves(entry.offers())) names.push_back(entry.name);
  return names;
}

Catalogue standard_catalogue() {
  Catalogue catalogue{topology_table(), links::algorithm_table(), pattern_table()};
  for (const AlgorithmEntry& entry : pops::algorithm_table()) catalogue.add(entry);
  return catalogue;
}

}  // namespace starloom

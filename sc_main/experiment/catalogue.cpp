#include <starloom/experiment/catalogue.hpp>

#include <algorithm>
#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/controllers/pops/algorithm.hpp>
#include <starloom/core/error.hpp>
#include <utility>

namespace starloom {
namespace {

template <class Entry>
void append(std::vector<Entry>& table, Entry entry, const std::string& what) {
  const bool known = std::any_of(table.begin(), table.end(), [&](const Entry& one) { return one.name == entry.name; });
  if (known)
    throw InputError("there is " + what + " called " + entry.name + " already; give the program's own another name");
  table.push_back(std::move(entry));
}

}  // namespace

void Catalogue::add(TopologyEntry entry) { append(topologies, std::move(entry), "a topology"); }
void Catalogue::add(AlgorithmEntry entry) { append(algorithms, std::move(entry), "an algorithm"); }
void Catalogue::add(PatternEntry entry) { append(patterns, std::move(entry), "a pattern"); }

Catalogue standard_catalogue() {
  Catalogue catalogue{topology_table(), links::algorithm_table(), pattern_table()};
  for (const AlgorithmEntry& entry : pops::algorithm_table()) catalogue.add(entry);
  return catalogue;
}

}  // namespace starloom

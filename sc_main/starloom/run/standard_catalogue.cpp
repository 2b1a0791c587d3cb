// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/standard_catalogue.hpp>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/traffic/ranks.hpp>

namespace starloom {

Catalogue standard_catalogue() {
  Catalogue catalogue{topology_table(), {}, pattern_table(), standard_parts()};
  for (const auto* const algorithms : {&links::algorithm_table(), &pops::algorithm_table()})
    for (const AlgorithmEntry& entry : *algorithms) catalogue.add(entry);
  catalogue.add(ranks_entry());
  return catalogue;
}

}  // namespace starloom

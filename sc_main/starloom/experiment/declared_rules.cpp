// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/declared_rules.hpp>

#include <algorithm>

#include <starloom/config/key_reader.hpp>

namespace starloom {

pops::Rules declared_rules(const std::vector<AlgorithmEntry>& table, const Pops& pops,
                           const nlohmann::ordered_json& routing, const std::string& file) {
  const auto entry = std::find_if(table.begin(), table.end(), [&routing](const AlgorithmEntry& candidate) {
    return routing.value("algorithm", "") == candidate.name;
  });
  if (entry == table.end() || !entry->rules) return pops::couplers_alone();
  Diagnostics diagnostics;
  const KeyValues keys =
      read_keys(parse_option_value(routing.dump(), file), entry->keys, "experiment.routing", diagnostics);
  diagnostics.raise();
  return entry->rules(pops, keys);
}

}  // namespace starloom

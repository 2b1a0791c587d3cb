// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/known_entries.hpp>

#include <starloom/experiment/declared_rules.hpp>

namespace starloom {

KnownEntries known_entries(const Catalogue& catalogue) {
  KnownEntries known;
  known.topologies = catalogue.topologies;
  known.pops_rules = [&catalogue](const Pops& pops, const nlohmann::ordered_json& routing, const std::string& file) {
    return declared_rules(catalogue.algorithms, pops, routing, file);
  };
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    if (entry.may_leave_packets) known.leave_packets.push_back(entry.name);
  return known;
}

}  // namespace starloom

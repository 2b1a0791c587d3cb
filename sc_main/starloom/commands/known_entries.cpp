// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/known_entries.hpp>

#include <starloom/experiment/catalogue.hpp>
#include <starloom/experiment/declared_rules.hpp>
#include <starloom/experiment/sections.hpp>

namespace starloom {
namespace {

template <class Entries>
void add_keys(const Entries& entries, const std::string& name, std::vector<KeySpec>& keys) {
  if (const auto* const entry = find_entry(entries, name))
    keys.insert(keys.end(), entry->keys.begin(), entry->keys.end());
}

std::vector<KeySpec> section_keys(const Catalogue& catalogue, const std::string& section, const std::string& name) {
  std::vector<KeySpec> keys = section.empty() ? plain_keys() : section_spec(section).keys;
  if (section == "network") add_keys(catalogue.topologies, name, keys);
  if (section == "routing") add_keys(catalogue.algorithms, name, keys);
  if (section == "traffic") add_keys(catalogue.patterns, name, keys);
  return keys;
}

}  // namespace

KnownEntries known_entries(const Catalogue& catalogue) {
  KnownEntries known;
  known.topologies = catalogue.topologies;
  known.pops_rules = [&catalogue](const Pops& pops, const nlohmann::ordered_json& routing, const std::string& file) {
    return declared_rules(catalogue.algorithms, pops, routing, file);
  };
  for (const AlgorithmEntry& entry : catalogue.algorithms) {
    if (entry.may_leave_packets) known.leave_packets.push_back(entry.name);
    if (entry.audit) known.audits[entry.name] = entry.audit;
  }
  for (const AllocatorEntry& entry : catalogue.parts.allocators)
    if (entry.switches && !entry.ignores_priorities) known.compare_priorities.push_back(entry.name);
  known.keys = [&catalogue](const std::string& section, const std::string& name) {
    return section_keys(catalogue, section, name);
  };
  return known;
}

}  // namespace starloom

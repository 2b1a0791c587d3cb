// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/catalogue.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <variant>

#include <starloom/experiment/sections.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

template <class... Functions>
bool is_set(const std::variant<Functions...>& make) {
  return std::visit([](const auto& function) { return static_cast<bool>(function); }, make);
}
template <class Signature>
bool is_set(const std::function<Signature>& make) {
  return static_cast<bool>(make);
}
template <class Entry>
bool can_make(const Entry& entry) {
  return is_set(entry.make);
}
bool can_make(const ArbiterEntry& entry) { return is_set(entry.make) || is_set(entry.make_of); }
bool can_make(const AllocatorEntry& entry) { return entry.piggyback || is_set(entry.make); }
bool can_make(const SelectionEntry& entry) { return entry.built_in || is_set(entry.make); }

/// \param what a noun for an entry, with its article.
template <class Entry>
void check_table(const std::vector<Entry>& table, const std::string& what) {
  std::set<std::string> names;
  for (const Entry& entry : table) {
    if (entry.name.empty()) throw InputError("starloom: there is " + what + " without a name; set `name` of its entry");
    if (!names.insert(entry.name).second)
      throw InputError("starloom: there is " + what + " called " + entry.name + " already; rename your own entry");
    if (!can_make(entry))
      throw InputError("starloom: there is " + what + " called " + entry.name +
                       " that cannot be made; set `make` of its entry");
  }
}

/// \param common keys of the section, which all entries share.
template <class Entry>
void require_different_keys(const std::vector<Entry>& table, const std::vector<KeySpec>& common) {
  for (const Entry& entry : table) {
    std::set<std::string> names;
    for (const auto* keys : {&common, &entry.keys})
      for (const KeySpec& key : *keys)
        if (!names.insert(key.name).second)
          throw InputError("starloom: " + entry.name + " has two keys called " + key.name + "; rename your own key");
  }
}

/// Adds a part to its table, and recreates the algorithms that have parts with it.
template <class Part>
void add_part(Catalogue& catalogue, std::vector<Part> RouterParts::*table, Part part) {
  std::vector<Part>& parts = catalogue.parts.*table;
  const std::vector<KeySpec> known = part_keys(parts);
  for (KeySpec& key : part.keys)
    if (std::find(known.begin(), known.end(), key) == known.end()) key = key.omitted_at_default();
  parts.push_back(checked(std::move(part)));
  const auto shared = std::make_shared<const RouterParts>(catalogue.parts);
  for (AlgorithmEntry& algorithm : catalogue.algorithms)
    if (algorithm.of_parts) algorithm = algorithm.of_parts(shared);
}

}  // namespace

void Catalogue::check() const {
  check_table(topologies, "a topology");
  check_table(algorithms, "an algorithm");
  check_table(patterns, "a pattern");
  check_table(parts.functions, "a routing function");
  check_table(parts.selections, "a selection");
  check_table(parts.arbiters, "an arbiter");
  check_table(parts.allocators, "an allocator");
  for (const TopologyEntry& entry : topologies) check_entry(entry);
  check_parts(parts);
  require_different_keys(topologies, section_spec("network").keys);
  require_different_keys(algorithms, section_spec("routing").keys);
  require_different_keys(patterns, section_spec("traffic").keys);
}

void Catalogue::add(AlgorithmEntry entry) {
  for (const AlgorithmPattern& pattern : entry.patterns) patterns.push_back(pattern_entry(pattern));
  algorithms.push_back(std::move(entry));
}
void Catalogue::add(routing::FunctionEntry entry) { add_part(*this, &RouterParts::functions, std::move(entry)); }
void Catalogue::add(SelectionEntry entry) { add_part(*this, &RouterParts::selections, std::move(entry)); }
void Catalogue::add(ArbiterEntry entry) { add_part(*this, &RouterParts::arbiters, std::move(entry)); }
void Catalogue::add(AllocatorEntry entry) { add_part(*this, &RouterParts::allocators, std::move(entry)); }

std::vector<std::string> Catalogue::served_by(const AlgorithmEntry& algorithm) const {
  std::vector<std::string> names;
  for (const TopologyEntry& entry : topologies)
    if (algorithm.serves(entry.capabilities())) names.push_back(entry.name);
  return names;
}

}  // namespace starloom

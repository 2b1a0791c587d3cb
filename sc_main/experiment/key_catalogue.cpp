#include <starloom/experiment/key_catalogue.hpp>

#include <algorithm>
#include <tuple>

#include <starloom/config/key_reader.hpp>
#include <starloom/config/names.hpp>
#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {
namespace {

bool same(const KeySpec& a, const KeySpec& b) {
  const auto parts = [](const KeySpec& spec) {
    return std::tie(spec.name, spec.type, spec.default_value, spec.meaning, spec.unit, spec.min, spec.max, spec.choices,
                    spec.required, spec.one_or_list);
  };
  return parts(a) == parts(b);
}

CatalogueKey key_of(const std::string& section, const KeySpec& spec) {
  return {spec, key_path(section, spec.name), {}, {}, spec.choices};
}

/// The keys that the entries of a table add to their section, the same key of several entries once.
template <class Entry>
void add_keys_of(CatalogueSection& section, const std::string& selector, const std::vector<Entry>& table) {
  for (CatalogueKey& key : section.keys)
    if (key.spec.name == selector) key.values = names_of(table);
  const std::size_t first = section.keys.size();
  for (const Entry& entry : table)
    for (const KeySpec& spec : entry.keys) {
      const auto known = std::find_if(section.keys.begin() + static_cast<std::ptrdiff_t>(first), section.keys.end(),
                                      [&](const CatalogueKey& key) { return same(key.spec, spec); });
      CatalogueKey& key = known != section.keys.end() ? *known : section.keys.emplace_back(key_of(section.name, spec));
      key.owners.push_back(entry.name);
    }
  for (std::size_t i = first; i < section.keys.size(); ++i)
    for (const std::string& name : names_of(table)) {
      const auto& owners = section.keys[i].owners;
      if (std::find(owners.begin(), owners.end(), name) == owners.end()) section.keys[i].others.push_back(name);
    }
}

template <class Entry>
void add_names_of(std::vector<CatalogueName>& names, const std::string& selector, const std::vector<Entry>& table) {
  for (const Entry& entry : table) names.push_back({selector, entry.name, entry.meaning});
}

}  // namespace

std::vector<CatalogueSection> key_catalogue(const Catalogue& catalogue) {
  std::vector<CatalogueSection> all = {{"", "plain values", {}}};
  for (const KeySpec& spec : plain_keys()) all.front().keys.push_back(key_of("", spec));
  for (const SectionSpec& known : sections()) {
    CatalogueSection& section = all.emplace_back(CatalogueSection{known.name, known.meaning, {}});
    for (const KeySpec& spec : known.keys) section.keys.push_back(key_of(known.name, spec));
    if (known.name == "network") add_keys_of(section, "topology", catalogue.topologies);
    if (known.name == "routing") add_keys_of(section, "algorithm", catalogue.algorithms);
    if (known.name == "traffic") add_keys_of(section, "pattern", catalogue.patterns);
  }
  return all;
}

std::vector<CatalogueName> name_catalogue(const Catalogue& catalogue) {
  std::vector<CatalogueName> names;
  add_names_of(names, "routing.algorithm", catalogue.algorithms);
  add_names_of(names, "traffic.pattern", catalogue.patterns);
  add_names_of(names, "network.topology", catalogue.topologies);
  return names;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/explained.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include <starloom/config/key_reader.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/metric_table.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {
namespace {

bool same(const MetricSpec& a, const MetricSpec& b) {
  const auto parts = [](const MetricSpec& spec) {
    return std::tie(spec.path, spec.type, spec.unit, spec.meaning, spec.only_if, spec.null_if);
  };
  return parts(a) == parts(b);
}

ExplainedKey key_of(const std::string& section, const KeySpec& spec) {
  const bool chosen = spec.type == KeyType::choice || spec.type == KeyType::part;
  return {spec, key_path(section, spec.name), {}, {}, chosen ? spec.choices : std::vector<std::string>()};
}

/// The keys that the entries of a table add to their section, with the same key of several entries once.
template <class Entry>
void add_keys_of(ExplainedSection& section, const std::string& selector, const std::vector<Entry>& table) {
  for (ExplainedKey& key : section.keys)
    if (key.spec.name == selector) key.values = names_of(table);
  const std::size_t first = section.keys.size();
  for (const Entry& entry : table)
    for (const KeySpec& spec : entry.keys) {
      const auto known = std::find_if(section.keys.begin() + static_cast<std::ptrdiff_t>(first), section.keys.end(),
                                      [&](const ExplainedKey& key) { return key.spec == spec; });
      ExplainedKey& key = known != section.keys.end() ? *known : section.keys.emplace_back(key_of(section.name, spec));
      key.owners.push_back(entry.name);
    }
  for (std::size_t i = first; i < section.keys.size(); ++i)
    for (const std::string& name : names_of(table)) {
      const auto& owners = section.keys[i].owners;
      if (std::find(owners.begin(), owners.end(), name) == owners.end()) section.keys[i].others.push_back(name);
    }
}

constexpr const char* all_of_links = "any but pops";  ///< the topologies that offer `connected`

ExplainedName name_of(const Catalogue& catalogue, const AlgorithmEntry& entry) {
  std::string storage;
  if (entry.storage) storage = storage_model_names[static_cast<std::size_t>(*entry.storage)];
  for (const auto& [key, model] : entry.storage_by_key)
    storage += fmt::format("; with {} {}", key, storage_model_names[static_cast<std::size_t>(model)]);
  const bool all = contains(entry.needs, connected);
  return {"routing.algorithm", entry.name, entry.meaning, all ? all_of_links : joined(catalogue.served_by(entry)),
          storage};
}

ExplainedName name_of(const Catalogue& catalogue, const routing::FunctionEntry& entry) {
  std::vector<std::string> networks;
  for (const routing::Service& service : entry.serves) {
    const auto add = [&](const std::string& name) {
      networks.push_back(name + (service.channels > 1 ? fmt::format(" ({} channels)", service.channels) : ""));
    };
    if (service.capability == connected) add(all_of_links);
    else
      for (const TopologyEntry& topology : catalogue.topologies)
        if (entry.service(topology.capabilities()) == &service) add(topology.name);
  }
  return {"routing.function", entry.name, entry.meaning, joined(networks), "", names_of(entry.keys)};
}

}  // namespace

std::string values_text(const ExplainedKey& key) {
  if (!key.values.empty()) return joined(key.values);
  const KeyType type = key.spec.type;
  const bool has_range = type == KeyType::integer || type == KeyType::number || type == KeyType::integer_list ||
                         type == KeyType::share_list;
  return has_range ? range_text(key.spec) : "";
}

std::string owners_text(const ExplainedKey& key, const std::string& quote) {
  if (key.owners.empty()) return "";
  const bool most = key.others.size() < key.owners.size() && key.owners.size() > 1;
  std::string list = fmt::format("{0}{1}{0}", quote, fmt::join(most ? key.others : key.owners, quote + ", " + quote));
  if (!most) return list;
  return key.others.empty() ? "all" : "all but " + list;
}

std::string metric_type_text(MetricType type) {
  switch (type) {
    case MetricType::integer: return "integer";
    case MetricType::number: return "number";
    case MetricType::boolean: return "true or false";
    case MetricType::text: return "word";
    case MetricType::integer_list: return "list of integers";
    case MetricType::object_list: return "list of objects";
    case MetricType::section:
    case MetricType::object: break;
  }
  return "section";
}

std::vector<ExplainedSection> explained_keys(const std::vector<KeySpec>& plain,
                                             const std::vector<SectionSpec>& sections) {
  std::vector<ExplainedSection> all = {{"", "plain values", {}}};
  for (const KeySpec& spec : plain) all.front().keys.push_back(key_of("", spec));
  for (const SectionSpec& known : sections) {
    ExplainedSection& section = all.emplace_back(ExplainedSection{known.name, known.meaning, {}});
    for (const KeySpec& spec : known.keys) section.keys.push_back(key_of(known.name, spec));
  }
  return all;
}

std::vector<ExplainedSection> explained_keys(const Catalogue& catalogue) {
  std::vector<ExplainedSection> all = explained_keys(plain_keys(), sections());
  for (ExplainedSection& section : all) {
    if (section.name == "network") add_keys_of(section, "topology", catalogue.topologies);
    if (section.name == "routing") add_keys_of(section, "algorithm", catalogue.algorithms);
    if (section.name == "traffic") add_keys_of(section, "pattern", catalogue.patterns);
  }
  return all;
}

std::vector<ExplainedName> explained_names(const Catalogue& catalogue) {
  std::vector<ExplainedName> names;
  for (const AlgorithmEntry& entry : catalogue.algorithms) names.push_back(name_of(catalogue, entry));
  for (const routing::FunctionEntry& entry : catalogue.parts.functions) names.push_back(name_of(catalogue, entry));
  const auto add_parts = [&names](const std::string& selector, const auto& parts) {
    for (const auto& entry : parts)
      names.push_back({selector, entry.name, entry.meaning, "", "", names_of(entry.keys)});
  };
  add_parts("routing.selection", catalogue.parts.selections);
  add_parts("routing.allocator", catalogue.parts.allocators);
  add_parts("routing.arbiter", catalogue.parts.arbiters);
  for (const PatternEntry& entry : catalogue.patterns)
    names.push_back({"traffic.pattern", entry.name, entry.meaning, "", ""});
  for (const TopologyEntry& entry : catalogue.topologies)
    names.push_back({"network.topology", entry.name, entry.meaning, "", ""});
  return names;
}

std::vector<ExplainedMetric> explained_metrics(const Catalogue& catalogue) {
  std::vector<ExplainedMetric> all;
  for (const MetricSpec& common : common_metrics()) {
    all.push_back({common, {}});
    const std::size_t first = all.size();
    for (const AlgorithmEntry& entry : catalogue.algorithms)
      for (const MetricSpec& own : own_metrics(entry, common.path)) {
        const auto known = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                        [&](const ExplainedMetric& metric) { return same(metric.spec, own); });
        (known != all.end() ? *known : all.emplace_back(ExplainedMetric{own, {}})).owners.push_back(entry.name);
      }
  }
  return all;
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

}  // namespace starloom

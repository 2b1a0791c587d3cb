// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include <starloom/experiment/sections.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// The name of a storage model; processors of POPS networks have their fixed buffers, and none.
Json storage_json(const AlgorithmEntry& entry) {
  if (!entry.storage) return nullptr;
  return storage_model_names[static_cast<std::size_t>(*entry.storage)];
}

std::string storage_text(const AlgorithmEntry& entry) {
  if (!entry.storage) return "";
  std::string text = fmt::format("; {}", storage_model_names[static_cast<std::size_t>(*entry.storage)]);
  for (const auto& [key, storage] : entry.storage_by_key)
    text += fmt::format(", with {} {}", key, storage_model_names[static_cast<std::size_t>(storage)]);
  return text;
}

std::string keys_text(const std::vector<KeySpec>& keys) {
  return keys.empty() ? "" : fmt::format("      keys: {}\n", fmt::join(names_of(keys), ", "));
}

}  // namespace

nlohmann::ordered_json list_json(const Catalogue& catalogue) {
  Json list = {{"algorithms", Json::array()}, {"patterns", Json::array()}, {"topologies", Json::array()}};
  for (const AlgorithmEntry& entry : catalogue.algorithms) {
    Json& one = list["algorithms"].emplace_back(
        Json{{"name", entry.name}, {"topologies", entry.topologies}, {"storage", storage_json(entry)}});
    for (const auto& [key, storage] : entry.storage_by_key)
      one["storage_by_key"][key] = storage_model_names[static_cast<std::size_t>(storage)];
    one["keys"] = names_of(entry.keys);
  }
  for (const PatternEntry& entry : catalogue.patterns)
    list["patterns"].push_back({{"name", entry.name}, {"keys", names_of(entry.keys)}});
  for (const TopologyEntry& entry : catalogue.topologies)
    list["topologies"].push_back({{"name", entry.name}, {"keys", names_of(entry.keys)}});
  return list;
}

std::string list_text(const Catalogue& catalogue) {
  std::string text = "Routing algorithms (routing.algorithm):\n";
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    text += fmt::format("  {}: {}\n      on {}{}\n{}", entry.name, entry.meaning, fmt::join(entry.topologies, ", "),
                        storage_text(entry), keys_text(entry.keys));
  text += "\nTraffic patterns (traffic.pattern):\n";
  for (const PatternEntry& entry : catalogue.patterns)
    text += fmt::format("  {}: {}\n{}", entry.name, entry.meaning, keys_text(entry.keys));
  text += "\nTopologies (network.topology):\n";
  for (const TopologyEntry& entry : catalogue.topologies)
    text += fmt::format("  {}: {}\n{}", entry.name, entry.meaning, keys_text(entry.keys));
  return text;
}

}  // namespace starloom

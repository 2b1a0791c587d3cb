#include <starloom/commands/list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include <starloom/config/names.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Processors of POPS networks have their fixed buffers, and no storage model.
std::optional<std::string_view> storage_name(const AlgorithmEntry& entry) {
  if (std::holds_alternative<pops::MakeAlgorithm>(entry.make)) return std::nullopt;
  return storage_model_names[static_cast<std::size_t>(entry.storage)];
}

std::string keys_text(const std::vector<KeySpec>& keys) {
  return keys.empty() ? "" : fmt::format("      keys: {}\n", fmt::join(names_of(keys), ", "));
}

}  // namespace

nlohmann::ordered_json list_json() {
  Json list = {{"algorithms", Json::array()}, {"patterns", Json::array()}};
  for (const AlgorithmEntry& entry : all_algorithms())
    list["algorithms"].push_back({{"name", entry.name},
                                  {"topologies", entry.topologies},
                                  {"storage", storage_name(entry) ? Json(*storage_name(entry)) : Json(nullptr)},
                                  {"keys", names_of(entry.keys)}});
  for (const PatternEntry& entry : pattern_table())
    list["patterns"].push_back({{"name", entry.name}, {"keys", names_of(entry.keys)}});
  return list;
}

std::string list_text() {
  std::string text = "Routing algorithms (routing.algorithm):\n";
  for (const AlgorithmEntry& entry : all_algorithms())
    text += fmt::format("  {}: {}\n      on {}{}{}\n{}", entry.name, entry.meaning, fmt::join(entry.topologies, ", "),
                        storage_name(entry) ? "; " : "", storage_name(entry).value_or(""), keys_text(entry.keys));
  text += "\nTraffic patterns (traffic.pattern):\n";
  for (const PatternEntry& entry : pattern_table())
    text += fmt::format("  {}: {}\n{}", entry.name, entry.meaning, keys_text(entry.keys));
  return text;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/labels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Sections whose figures are adjectives of what the section is about, and sections that only hold figures.
constexpr std::array<std::string_view, 6> nouns = {"latency", "network_latency", "throughput",
                                                   "queue",   "distance",        "packets"};
constexpr std::array<std::string_view, 4> holders = {"links", "algorithm", "bounds", "optics"};

std::string with_spaces(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string with_unit(const Campaign& campaign, const std::string& name, const std::string& path) {
  const auto unit = campaign.units.find(path);
  return unit == campaign.units.end() || unit->second == name ? name : fmt::format("{} ({})", name, unit->second);
}

}  // namespace

std::string figure_name(const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return path;
  const std::string section = path.substr(0, dot), rest = path.substr(dot + 1);
  if (std::find(nouns.begin(), nouns.end(), section) != nouns.end()) return with_spaces(rest + " " + section);
  return std::find(holders.begin(), holders.end(), section) != holders.end() ? with_spaces(rest) : path;
}

std::string figure_label(const Campaign& campaign, const std::string& path) {
  return with_unit(campaign, figure_name(path), path);
}

std::string axis_label(const Campaign& campaign, const std::string& key) {
  return with_unit(campaign, with_spaces(key.substr(key.rfind('.') + 1)), key);
}

std::string value_label(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (value.is_object()) {
    for (const auto& [inner, one] : value.items()) text += (text.empty() ? "" : ", ") + value_label(inner, one);
    return text;
  }
  const bool numbers = value.is_array() && !value.empty() &&
                       std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_number(); });
  if (!numbers) return with_spaces(key.substr(key.rfind('.') + 1)) + " " + value.dump();
  for (const Json& one : value) text += (text.empty() ? "" : " x ") + one.dump();
  return text;
}

}  // namespace starloom

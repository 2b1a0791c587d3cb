// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/labels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Sections whose metrics are adjectives of their subject, and sections that only contain metrics.
constexpr std::array<std::string_view, 6> nouns = {"latency", "network_latency", "throughput",
                                                   "queue",   "distance",        "packets"};
constexpr std::array<std::string_view, 3> holders = {"links", "algorithm", "bounds"};

std::string with_spaces(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// `per_packet_pj` of the section `energy`: the name without its unit, which the label has anyway.
std::string energy_name(const std::string& name) {
  const std::string bare = with_spaces(name.substr(0, name.rfind('_')));
  if (bare.compare(0, 4, "per ") == 0) return "energy " + bare;
  return name.compare(name.size() - 3, 3, "_pj") == 0 ? bare + " energy" : bare;
}

/// `energy_pj_per_packet` of the section `optics`, or `parts.laser_pj`.
std::string optics_name(const std::string& path) {
  std::string name = path.substr(path.rfind('.') + 1);
  const std::size_t unit = name.find("_pj_");
  return unit == std::string::npos ? energy_name(name) : with_spaces(name.erase(unit, 3));
}

std::string with_unit(const Campaign& campaign, const std::string& name, const std::string& path) {
  const auto unit = campaign.units.find(path);
  return unit == campaign.units.end() || unit->second == name ? name : fmt::format("{} ({})", name, unit->second);
}

/// Removes from a section the values that another one does not share.
void keep_shared(Json& shared, const Json& other) {
  if (!shared.is_object()) return;
  for (auto one = shared.begin(); one != shared.end();) {
    const auto same = other.is_object() ? other.find(one.key()) : other.end();
    if (!other.is_object() || same == other.end() || (*same != *one && !one->is_object())) {
      one = shared.erase(one);
      continue;
    }
    keep_shared(*one, *same);
    ++one;
  }
}

/// A section without the shared values.
Json without(Json value, const Json& shared) {
  if (!value.is_object() || !shared.is_object()) return value;
  for (const auto& [key, part] : shared.items()) {
    if (part.is_object()) value[key] = without(value[key], part);
    if (!part.is_object() || value[key] == Json::object()) value.erase(key);
  }
  return value;
}

/// The first values of a list, and the number of further ones.
std::string list_text(const Json& list) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + (list[i].is_string() ? list[i].get<std::string>() : list[i].dump());
  return list.size() > most ? fmt::format("{} and {} more", text, list.size() - most) : text;
}

std::string value_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (value.is_object()) {
    for (const auto& [inner, one] : value.items())
      text += (text.empty() ? "" : ", ") + (one.is_object() ? with_spaces(inner) + " " : "") + value_text(inner, one);
    return text;
  }
  const std::string name = with_spaces(key.substr(key.rfind('.') + 1));
  if (!value.is_array() || value.empty()) return name + " " + value.dump();
  if (name != "shape") return name + " " + list_text(value);
  for (const Json& one : value) text += (text.empty() ? "" : " x ") + one.dump();
  return text;
}

}  // namespace

std::string metric_name(const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return path;
  const std::string section = path.substr(0, dot), rest = path.substr(dot + 1);
  if (section == "energy" && rest.find('.') == std::string::npos && rest.find('_') != std::string::npos)
    return energy_name(rest);
  if (section == "optics") return optics_name(rest);
  if (std::find(nouns.begin(), nouns.end(), section) != nouns.end()) return with_spaces(rest + " " + section);
  return std::find(holders.begin(), holders.end(), section) != holders.end() ? with_spaces(rest) : path;
}

std::string metric_label(const Campaign& campaign, const std::string& path) {
  return with_unit(campaign, metric_name(path), path);
}

std::string axis_label(const Campaign& campaign, const std::string& key) {
  return with_unit(campaign, with_spaces(key.substr(key.rfind('.') + 1)), key);
}

ValueLabels::ValueLabels(const Campaign& campaign) : labels_(campaign.axes.size()) {
  for (std::size_t a = 0; a < campaign.axes.size(); ++a) {
    std::vector<const Json*> values;
    for (const Point& point : campaign.points)
      if (labels_[a].emplace(point.at[a].dump(), "").second) values.push_back(&point.at[a]);
    Json shared = values.empty() ? Json() : *values.front();
    for (const Json* value : values) keep_shared(shared, *value);
    std::map<std::string, int> times;
    for (const Json* value : values) {
      std::string label = value_text(campaign.axes[a], values.size() > 1 ? without(*value, shared) : *value);
      if (label.empty()) label = value_text(campaign.axes[a], *value);
      const int number = ++times[label];
      labels_[a][value->dump()] = number == 1 ? label : fmt::format("{} (no. {})", label, number);
    }
  }
}

}  // namespace starloom

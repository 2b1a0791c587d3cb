// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/region_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/config/key_reader.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* regions_path = "network.regions";
constexpr const char* region_example = "{nodes: \"node_r00_*\", buffer: 4}";

std::string role_name(NodeRole role) { return std::string(node_role_names[static_cast<std::size_t>(role)]); }

std::string stage_key(const router::Stage& stage) { return std::string("stages.") + stage.name; }

std::vector<KeySpec> make_region_keys() {
  std::vector<KeySpec> keys = {text_key("nodes", "names of nodes; * and ? are wildcards"),
                               choice_key("role", {std::begin(node_role_names), std::end(node_role_names)},
                                          "instead of nodes: all nodes of this role"),
                               integer_key("buffer", "flits of each channel of the in-ports of these nodes")
                                   .within(1, router::most_buffer_flits)
                                   .measured_in("flits")};
  keys.push_back(integer_key("channels", "virtual channels of the in-ports of these nodes").within(1, 256));
  keys.push_back(text_key("clock", "of network.clocks, the clock of these nodes"));
  for (const router::Stage& stage : router::pipeline_stages)
    keys.push_back(integer_key(stage_key(stage), "instead of that of routing.stages")
                       .within(stage.least, router::most_stage_steps)
                       .measured_in("steps"));
  return keys;
}

const std::vector<KeySpec>& region_keys() {
  static const std::vector<KeySpec> keys = make_region_keys();
  return keys;
}

router::Region read_region(const DocumentValue& item, const std::string& entry, const std::vector<NetworkClock>& clocks,
                           Diagnostics& diagnostics) {
  router::Region region;
  if (item.kind != Kind::map) {
    diagnostics.add(item.location,
                    fmt::format("{}: nodes such as {} are expected, not {}", entry, region_example, item.described()));
    return region;
  }
  check_key_names(item, names_of(region_keys()), entry, diagnostics);
  const KeyValues values = read_keys(item, region_keys(), entry, diagnostics);
  const auto refuse = [&](const std::string& text) {
    diagnostics.add(item.location, fmt::format("{}: {}", entry, text));
  };
  if (item.find("nodes") == nullptr && item.find("role") == nullptr) refuse("nodes or role is missing");
  if (item.find("nodes") != nullptr && item.find("role") != nullptr)
    refuse("nodes and role are given; leave one of them out");
  const DocumentValue* const stages = item.find("stages");
  const bool no_stages = stages == nullptr || (stages->kind == Kind::map && stages->entries.empty());
  if (item.find("buffer") == nullptr && item.find("channels") == nullptr && item.find("clock") == nullptr && no_stages)
    refuse("buffer, channels, clock or a stage of stages is missing (what differs in these nodes)");
  if (values.has("nodes")) region.nodes = values.text("nodes");
  if (values.has("role")) region.role = node_role(values.text("role"));
  if (values.has("buffer")) region.buffer = static_cast<std::int32_t>(values.integer("buffer"));
  if (values.has("channels")) region.channels = static_cast<std::int32_t>(values.integer("channels"));
  if (values.has("clock")) {
    const std::vector<std::string> names = names_of(clocks);
    const auto found = std::find(names.begin(), names.end(), values.text("clock"));
    if (found != names.end()) region.clock = static_cast<std::int32_t>(found - names.begin());
    else
      diagnostics.add(item.find("clock")->location,
                      fmt::format("{}: {}", key_path(entry, "clock"),
                                  names.empty() ? "network.clocks is missing, such as {fast: 1, slow: 2}"
                                                : unknown_name("clock", values.text("clock"), names)));
  }
  for (std::size_t stage = 0; stage < region.stages.size(); ++stage)
    if (const std::string key = stage_key(router::pipeline_stages[stage]); values.has(key))
      region.stages[stage] = static_cast<int>(values.integer(key));
  return region;
}

}  // namespace

std::vector<router::Region> read_regions(const DocumentValue& list, const std::vector<NetworkClock>& clocks,
                                         Diagnostics& diagnostics) {
  std::vector<router::Region> regions;
  if (list.kind != Kind::list || list.items.empty())
    diagnostics.add(list.location,
                    fmt::format("{}: a list of nodes such as {} is expected, not {}", regions_path, region_example,
                                list.kind == Kind::list ? "an empty list" : list.described()));
  for (const DocumentValue& item : list.items)
    regions.push_back(read_region(item, key_path(regions_path, std::to_string(regions.size())), clocks, diagnostics));
  return regions;
}

std::string region_text(const router::Region& region, const std::vector<NetworkClock>& clocks) {
  std::string text = region.role ? "role " + role_name(*region.role) : region.nodes;
  if (region.buffer) text += fmt::format(", buffer {}", *region.buffer);
  if (region.channels) text += fmt::format(", channels {}", *region.channels);
  if (region.clock) text += ", clock " + clocks[static_cast<std::size_t>(*region.clock)].name;
  for (std::size_t stage = 0; stage < region.stages.size(); ++stage)
    if (region.stages[stage])
      text += fmt::format(", {} {}", stage_key(router::pipeline_stages[stage]), *region.stages[stage]);
  return text;
}

nlohmann::ordered_json regions_json(const std::vector<router::Region>& regions,
                                    const std::vector<NetworkClock>& clocks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const router::Region& region : regions) {
    nlohmann::ordered_json& json = list.emplace_back();
    if (region.role) json["role"] = role_name(*region.role);
    else json["nodes"] = region.nodes;
    if (region.buffer) json["buffer"] = *region.buffer;
    if (region.channels) json["channels"] = *region.channels;
    if (region.clock) json["clock"] = clocks[static_cast<std::size_t>(*region.clock)].name;
    for (std::size_t stage = 0; stage < region.stages.size(); ++stage)
      if (region.stages[stage]) json["stages"][router::pipeline_stages[stage].name] = *region.stages[stage];
  }
  return list;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/clock_list.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/config/key_reader.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/network_laws.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* clocks_path = "network.clocks";

}  // namespace

std::vector<NetworkClock> read_clocks(const DocumentValue& map, Diagnostics& diagnostics) {
  std::vector<NetworkClock> clocks;
  if (map.kind != Kind::map || map.entries.empty())
    diagnostics.add(map.location, fmt::format("{}: names and periods such as {{fast: 1, slow: 2}} are expected, not {}",
                                              clocks_path, map.kind == Kind::map ? "an empty map" : map.described()));
  for (const DocumentEntry& entry : map.entries) {
    const std::string path = key_path(clocks_path, entry.key);
    if (!is_identifier(entry.key))
      diagnostics.add(entry.value.location,
                      fmt::format("{}: the name of a clock has letters, digits and _, and no digit first", path));
    if (std::any_of(clocks.begin(), clocks.end(), [&](const NetworkClock& clock) { return clock.name == entry.key; }))
      diagnostics.add(entry.value.location, fmt::format("{}: this clock is given twice", path));
    DocumentValue of_clock;
    of_clock.kind = Kind::map;
    of_clock.entries.push_back(entry);
    const KeyValues values = read_keys(
        of_clock, {integer_key(entry.key, "steps of a cycle").within(1, most_clock_period).measured_in("steps")},
        clocks_path, diagnostics);
    clocks.push_back({entry.key, values.has(entry.key) ? static_cast<std::int32_t>(values.integer(entry.key)) : 1});
  }
  return clocks;
}

nlohmann::ordered_json clocks_json(const std::vector<NetworkClock>& clocks) {
  nlohmann::ordered_json json;
  for (const NetworkClock& clock : clocks) json[clock.name] = clock.period;
  return json;
}

}  // namespace starloom

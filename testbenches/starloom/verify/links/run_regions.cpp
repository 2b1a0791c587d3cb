// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_regions.hpp>

#include <algorithm>

#include <starloom/core/ids.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {

std::vector<NetworkClock> read_clocks(const ResultDocument& result) {
  const std::string map = "experiment.network.clocks";
  std::vector<NetworkClock> clocks;
  if (!result.given(map)) return clocks;
  if (!result.at(map).is_object()) result.fail(map, "is not a map");
  for (const auto& entry : result.at(map).items())
    clocks.push_back({entry.key(), result.small(map + "." + entry.key(), 1, most_clock_period)});
  return clocks;
}

std::vector<router::Region> read_regions(const ResultDocument& result) {
  const std::vector<NetworkClock> clocks = read_clocks(result);
  const std::string list = "experiment.network.regions";
  std::vector<router::Region> regions;
  if (!result.given(list)) return regions;
  if (!result.at(list).is_array()) result.fail(list, "is not a list");
  for (std::size_t i = 0; i < result.at(list).size(); ++i) {
    const std::string entry = list + "." + std::to_string(i);
    router::Region& region = regions.emplace_back();
    if (result.given(entry + ".role"))
      region.role = static_cast<NodeRole>(result.choice(entry + ".role", node_role_names, "a role"));
    else region.nodes = result.text(entry + ".nodes");
    if (result.given(entry + ".buffer")) region.buffer = result.small(entry + ".buffer", 1, router::most_buffer_flits);
    if (result.given(entry + ".channels")) region.channels = result.small(entry + ".channels", 1, most_channels);
    if (result.given(entry + ".clock")) {
      const std::vector<std::string> names = names_of(clocks);
      const auto clock = std::find(names.begin(), names.end(), result.text(entry + ".clock"));
      if (clock == names.end()) result.fail(entry + ".clock", "is not the name of a clock");
      region.clock = static_cast<std::int32_t>(clock - names.begin());
    }
    for (std::size_t stage = 0; stage < region.stages.size(); ++stage) {
      const std::string key = entry + ".stages." + router::pipeline_stages[stage].name;
      if (result.given(key))
        region.stages[stage] = result.small(key, router::pipeline_stages[stage].least, router::most_stage_steps);
    }
  }
  return regions;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/regions.hpp>

#include <algorithm>

#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/topology/instance_glob.hpp>

namespace starloom::router {
namespace {

bool contains(const Region& region, const NetworkGraph& graph, NodeId node) {
  return region.role ? graph.role(node) == *region.role : glob_matches(region.nodes, graph.node_name(node));
}

bool has_routers(const Region& region, const NetworkGraph& graph) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (!graph.is_terminal(node) && contains(region, graph, node)) return true;
  return false;
}

std::string no_node_text(const NetworkGraph& graph, const Region& region) {
  if (region.role == NodeRole::switch_node) return "the network has no switches, only processors";
  if (region.role == NodeRole::host) return "the network has no hosts; nodes of a graph file may be hosts (role: host)";
  if (region.role) return "all processors of the network are hosts; write role: host";
  std::vector<std::string> names;
  for (NodeId node = 0; node < graph.nodes(); ++node) names.push_back(graph.node_name(node));
  return no_match_text(region.nodes, {names}, "the nodes are " + names.front() + " to " + names.back());
}

}  // namespace

bool Region::changes_stages() const {
  return std::any_of(stages.begin(), stages.end(), [](const std::optional<int>& steps) { return steps.has_value(); });
}

Pipeline Region::pipeline(Pipeline others) const {
  for (std::size_t stage = 0; stage < stages.size(); ++stage)
    if (stages[stage]) others.*pipeline_stages[stage].steps = *stages[stage];
  return others;
}

std::int64_t nodes_in(const NetworkGraph& graph, const Region& region) {
  std::int64_t count = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) count += contains(region, graph, node) ? 1 : 0;
  return count;
}

void require_nodes(const NetworkGraph& graph, const std::vector<Region>& regions) {
  std::vector<ConfigError::Diagnostic> diagnostics;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const std::string key = "regions." + std::to_string(i);
    if (nodes_in(graph, regions[i]) == 0) diagnostics.push_back({key, no_node_text(graph, regions[i])});
    else if (regions[i].changes_stages() && !has_routers(regions[i], graph))
      diagnostics.push_back({key,
                             "stages are of routers, which these nodes do not have, because they are terminals; give "
                             "the stages to the switches (role: switch)"});
  }
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
}

std::vector<std::int32_t> values_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions,
                                          std::optional<std::int32_t> Region::*property, std::int32_t otherwise) {
  require_nodes(graph, regions);
  std::vector<std::int32_t> values;
  for (const Region& region : regions) {
    if (!(region.*property)) continue;
    values.resize(static_cast<std::size_t>(graph.nodes()), otherwise);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (contains(region, graph, node)) values[static_cast<std::size_t>(node)] = *(region.*property);
  }
  return values;
}

LinkNetwork with_clocks_of_regions(LinkNetwork network, const std::vector<Region>& regions,
                                   const std::vector<NetworkClock>& clocks) {
  if (clocks.empty()) return network;
  std::vector<std::int32_t> of_nodes = values_of_nodes(network.graph, regions, &Region::clock, 0);
  of_nodes.resize(static_cast<std::size_t>(network.graph.nodes()), 0);
  for (std::int32_t& clock : of_nodes) clock = clocks[static_cast<std::size_t>(clock)].period;
  return with_clocks(std::move(network), of_nodes, clocks);
}

Pipelines pipelines_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions, const Pipeline& common) {
  require_nodes(graph, regions);
  Pipelines pipelines{common, {}};
  for (const Region& region : regions) {
    if (!region.changes_stages()) continue;
    pipelines.of_nodes.resize(static_cast<std::size_t>(graph.nodes()), common);
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      Pipeline& pipeline = pipelines.of_nodes[static_cast<std::size_t>(node)];
      if (!graph.is_terminal(node) && contains(region, graph, node)) pipeline = region.pipeline(pipeline);
    }
  }
  return pipelines;
}

}  // namespace starloom::router

// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/regions.hpp>

#include <starloom/schema/config_error.hpp>
#include <starloom/topology/instance_glob.hpp>

namespace starloom::router {
namespace {

bool contains(const Region& region, const NetworkGraph& graph, NodeId node) {
  return region.role ? graph.role(node) == *region.role : glob_matches(region.nodes, graph.node_name(node));
}

std::string no_node_text(const NetworkGraph& graph, const Region& region) {
  if (region.role == NodeRole::switch_node) return "the network has no switches, only processors";
  std::vector<std::string> names;
  for (NodeId node = 0; node < graph.nodes(); ++node) names.push_back(graph.node_name(node));
  return no_match_text(region.nodes, {names}, "the nodes are " + names.front() + " to " + names.back());
}

}  // namespace

std::int64_t nodes_in(const NetworkGraph& graph, const Region& region) {
  std::int64_t count = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) count += contains(region, graph, node) ? 1 : 0;
  return count;
}

void require_nodes(const NetworkGraph& graph, const std::vector<Region>& regions) {
  std::vector<ConfigError::Diagnostic> without_nodes;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (nodes_in(graph, regions[i]) == 0)
      without_nodes.push_back({"regions." + std::to_string(i), no_node_text(graph, regions[i])});
  if (!without_nodes.empty()) throw ConfigError(std::move(without_nodes));
}

std::vector<std::int32_t> buffers_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions,
                                           std::int32_t otherwise) {
  require_nodes(graph, regions);
  std::vector<std::int32_t> buffers;
  for (const Region& region : regions) {
    if (!region.buffer) continue;
    buffers.resize(static_cast<std::size_t>(graph.nodes()), otherwise);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (contains(region, graph, node)) buffers[static_cast<std::size_t>(node)] = *region.buffer;
  }
  return buffers;
}

}  // namespace starloom::router

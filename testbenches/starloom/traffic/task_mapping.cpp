// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/task_mapping.hpp>

#include <numeric>

#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/annealing.hpp>
#include <starloom/traffic/placement.hpp>
#include <starloom/traffic/random_patterns.hpp>

namespace starloom {
namespace {

std::vector<NodeId> row_major(const ApplicationGraph& graph) {
  std::vector<NodeId> mapping(graph.tasks.size());
  std::iota(mapping.begin(), mapping.end(), 0);
  return mapping;
}

std::vector<NodeId> spread(const ApplicationGraph& graph, NodeId processors) {
  const auto tasks = static_cast<std::int64_t>(graph.tasks.size());
  std::vector<NodeId> mapping;
  for (std::int64_t task = 0; task < tasks; ++task) mapping.push_back(static_cast<NodeId>(task * processors / tasks));
  return mapping;
}

std::vector<NodeId> drawn(const ApplicationGraph& graph, const TrafficContext& context) {
  Destinations mapping = patterns::random_permutation(context.processors, context.seed);
  mapping.resize(graph.tasks.size());
  return mapping;
}

std::vector<NodeId> listed(const ApplicationGraph& graph, NodeId processors, const std::vector<std::int64_t>& list) {
  if (list.size() != graph.tasks.size())
    throw ConfigError("mapping", "it has " + std::to_string(list.size()) + " nodes for " +
                                     std::to_string(graph.tasks.size()) + " tasks");
  std::vector<ConfigError::Diagnostic> diagnostics;
  std::vector<const std::string*> task_at(static_cast<std::size_t>(processors));
  for (std::size_t task = 0; task < list.size(); ++task) {
    const std::string& name = graph.tasks[task];
    const std::string node = std::to_string(list[task]);
    if (list[task] < 0 || list[task] >= processors) {
      diagnostics.push_back({"mapping", "task " + name + ": " + node + " is not a node: nodes are 0 to " +
                                            std::to_string(processors - 1)});
      continue;
    }
    const std::string*& there = task_at[static_cast<std::size_t>(list[task])];
    if (there != nullptr)
      diagnostics.push_back({"mapping", "task " + name + " is mapped to node " + node + ", which already runs task " +
                                            *there + " already"});
    else there = &name;
  }
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
  return {list.begin(), list.end()};
}

}  // namespace

KeySpec mapping_key() {
  KeySpec key = integer_list_key("mapping",
                                 "node of each task, or a rule (docs/formats.md): best minimises bandwidth times hops; "
                                 "default: the mapping of the file, else a greedy placement");
  key.choices = {"row-major", "spread", "random", "best"};
  return key;
}

std::vector<NodeId> mapping_of(const ApplicationGraph& graph, const TrafficContext& context, const KeyValues& keys) {
  if (!keys.has("mapping")) return graph.mapping.empty() ? place_tasks(graph, context.processors) : graph.mapping;
  if (!keys.is_word("mapping")) return listed(graph, context.processors.count, keys.list("mapping"));
  const std::string& rule = keys.text("mapping");
  if (rule == "row-major") return row_major(graph);
  if (rule == "spread") return spread(graph, context.processors.count);
  if (rule == "random") return drawn(graph, context);
  return anneal_placement(graph, context.processors, context.seed);
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/task_mapping.hpp>

#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/annealing.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/placement.hpp>

namespace starloom {
namespace {

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
      diagnostics.push_back(
          {"mapping", "task " + name + " is mapped to node " + node + ", which runs task " + *there + " already"});
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
  key.choices = mapping_rules();
  key.choices.emplace_back("best");
  return key;
}

std::vector<NodeId> mapping_of(const ApplicationGraph& graph, const TrafficContext& context, const KeyValues& keys) {
  if (!keys.has("mapping")) return graph.mapping.empty() ? place_tasks(graph, context.processors) : graph.mapping;
  if (!keys.is_word("mapping")) return listed(graph, context.processors.count, keys.list("mapping"));
  const std::string& rule = keys.text("mapping");
  if (rule != "best") return mapped_by_rule(rule, graph.tasks.size(), context);
  return anneal_placement(graph, context.processors, context.seed);
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/task_demand.hpp>

#include <fmt/format.h>

#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/analysis/links/port_capacity.hpp>
#include <starloom/results/links/task_load.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {

TaskDemand demand_of_tasks(const NetworkGraph& graph, const Algorithm& algorithm, const PlacedTasks& tasks) {
  constexpr std::size_t most_lines = 10;
  constexpr double long_packet = 1e9;  // flits: heads are not counted, because the lengths are not known here
  TaskDemand demand;
  TaskLoad load(graph, tasks);
  for (const PlacedTasks::Edge& edge : tasks.edges) {
    if (edge.flits > 1)
      demand.warnings.push_back(fmt::format("the edge {} needs {} % of a link",
                                            load.flow_name(edge.source, edge.destination),
                                            decimal(100 * edge.flits, 3)));
    const auto path = demand_of_paths(graph, algorithm, {{edge.source, edge.destination, edge.flits}}, false);
    if (!path || path->meaning == LinkDemand::Meaning::shared) continue;
    for (std::size_t link = 0; link < path->load.size(); ++link)
      if (path->load[link] > 0)
        load.add(static_cast<NodeId>(link) / graph.ports(), static_cast<Port>(link) % graph.ports(), edge.source,
                 edge.destination, path->load[link]);
  }
  demand.busiest = load.busiest_lines(most_lines);
  const auto warn = [&](const std::string& port, double flits, const PortCapacity& capacity) {
    const double needs = flits / greatest_rate(capacity, long_packet).flits_per_step();
    if (needs > 1)
      demand.warnings.push_back(fmt::format("{} needs {} % of its capacity", port, decimal(100 * needs, 3)));
  };
  const Declaration& declared = algorithm.declaration();
  for (const std::size_t link : load.busiest(graph.link_slots())) {
    const auto node = static_cast<NodeId>(link) / graph.ports();
    const auto port = static_cast<Port>(link) % graph.ports();
    warn(load.link_name(link), load.total(link),
         capacity_of_link(graph, declared, node, port, declared.channels_at(graph.far_end(node, port).node)));
  }
  if (declared.storage == StorageModel::virtual_channels)
    for (const NodeId node : tasks.node) {
      if (graph.is_terminal(node)) continue;
      double sent = 0, received = 0;
      for (const PlacedTasks::Edge& edge : tasks.edges) {
        sent += edge.source == node ? edge.flits : 0;
        received += edge.destination == node ? edge.flits : 0;
      }
      const std::string port = "the local port of " + graph.node_name(node);
      warn(port, received, capacity_to_processor(graph, declared, node));
      warn(port, sent, capacity_from_processor(graph, declared, node));
    }
  if (demand.warnings.size() > most_lines) {
    demand.warnings[most_lines] = fmt::format("and {} more", demand.warnings.size() - most_lines);
    demand.warnings.resize(most_lines + 1);
  }
  return demand;
}

}  // namespace starloom::links

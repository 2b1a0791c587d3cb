// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/task_demand.hpp>

#include <fmt/format.h>

#include <starloom/analysis/links/way_demand.hpp>
#include <starloom/results/links/task_load.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {

TaskDemand demand_of_tasks(const NetworkGraph& graph, const Algorithm& algorithm, const PlacedTasks& tasks) {
  constexpr std::size_t most_lines = 10;
  TaskDemand demand;
  TaskLoad load(graph, tasks);
  for (const PlacedTasks::Edge& edge : tasks.edges) {
    if (edge.flits > 1)
      demand.warnings.push_back(fmt::format("the edge {} needs {} % of a link",
                                            load.flow_name(edge.source, edge.destination),
                                            decimal(100 * edge.flits, 3)));
    const auto way = demand_of_ways(graph, algorithm, {{edge.source, edge.destination, edge.flits}});
    if (!way || way->meaning == LinkDemand::Meaning::shared) continue;
    for (std::size_t link = 0; link < way->load.size(); ++link)
      if (way->load[link] > 0)
        load.add(static_cast<NodeId>(link) / graph.ports(), static_cast<Port>(link) % graph.ports(), edge.source,
                 edge.destination, way->load[link]);
  }
  demand.busiest = load.busiest_lines(most_lines);
  for (const std::size_t link : load.busiest(graph.link_places()))
    if (load.share(link) > 1)
      demand.warnings.push_back(
          fmt::format("{} needs {} of what it can carry", load.link_name(link), load.amount(link)));
  if (demand.warnings.size() > most_lines) {
    demand.warnings[most_lines] = fmt::format("and {} more", demand.warnings.size() - most_lines);
    demand.warnings.resize(most_lines + 1);
  }
  return demand;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/links/task_load.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/support/numbers.hpp>

namespace starloom::links {

TaskLoad::TaskLoad(const NetworkGraph& graph, const PlacedTasks& tasks) : graph_(graph), load_(graph.link_slots()) {
  for (std::size_t task = 0; task < tasks.names.size(); ++task) task_at_[tasks.node[task]] = tasks.names[task];
  for (const PlacedTasks::Edge& edge : tasks.edges)
    if (order_.emplace(Ends(edge.source, edge.destination), ends_.size()).second)
      ends_.emplace_back(edge.source, edge.destination);
}

void TaskLoad::add(NodeId node, Port port, NodeId source, NodeId destination, double flits) {
  load_[graph_.index(node, port)][order_.at({source, destination})] += flits;
}

double TaskLoad::total(std::size_t link) const {
  double flits = 0;
  for (const auto& [flow, load] : load_[link]) flits += load;
  return flits;
}

double TaskLoad::share_of(std::size_t link, double flits) const {
  const auto at = static_cast<NodeId>(link);
  const std::int32_t interval = graph_.interval(at / graph_.ports(), at % graph_.ports());
  return steps_ > 0 ? utilisation(static_cast<std::int64_t>(flits), interval, steps_) : flits * interval;
}

std::string TaskLoad::amount_text(std::size_t link, double flits) const {
  const std::string share = decimal(100 * share_of(link, flits), 3) + " %";
  return steps_ > 0 ? counted(static_cast<std::int64_t>(flits), "flit") + ", " + share : share;
}

std::string TaskLoad::link_name(std::size_t link) const {
  const auto at = static_cast<NodeId>(link);
  return graph_.link_name(at / graph_.ports(), at % graph_.ports());
}

std::string TaskLoad::flow_name(NodeId source, NodeId destination) const {
  return task_at_.at(source) + " -> " + task_at_.at(destination);
}

std::vector<std::string> TaskLoad::flows(std::size_t link, std::size_t most) const {
  std::vector<std::pair<std::size_t, double>> flows(load_[link].begin(), load_[link].end());
  std::stable_sort(flows.begin(), flows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [flow, flits] : flows) {
    if (texts.size() == most) {
      texts.push_back(fmt::format("and {} more", flows.size() - most));
      break;
    }
    texts.push_back(flow_name(ends_[flow].first, ends_[flow].second) + ", " + amount_text(link, flits));
  }
  return texts;
}

std::vector<std::size_t> TaskLoad::busiest(std::size_t most) const {
  std::vector<std::pair<double, std::size_t>> used;
  for (std::size_t link = 0; link < load_.size(); ++link)
    if (!load_[link].empty()) used.emplace_back(share(link), link);
  std::stable_sort(used.begin(), used.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  used.resize(std::min(most, used.size()));
  std::vector<std::size_t> links;
  for (const auto& [share, link] : used) links.push_back(link);
  return links;
}

std::vector<std::string> TaskLoad::busiest_lines(std::size_t most) const {
  constexpr std::size_t most_flows = 4;
  std::vector<std::string> lines;
  for (const std::size_t link : busiest(most))
    lines.push_back(fmt::format("{}, {}: {}", link_name(link), amount(link), fmt::join(flows(link, most_flows), "; ")));
  return lines;
}

}  // namespace starloom::links

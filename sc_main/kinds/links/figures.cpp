#include <starloom/kinds/links/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/results/counted.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom::links {
namespace {

/// Without packets the figures have no value.
void add_distance(FigureValues& values, const RunRecord& record, const NetworkGraph& graph, const Counted& counted) {
  std::vector<std::int64_t> distances;
  for (const Packet& packet : record.packets)
    if (counted(packet)) distances.push_back(graph.distance(packet.source, packet.destination));
  values["distance.max"] = values["distance.mean"] = nullptr;
  if (const auto figures = statistics_of(std::move(distances))) {
    values["distance.max"] = figures->max;
    values["distance.mean"] = figures->mean;
  }
}

void add_queue(FigureValues& values, const QueueMaximum& queue, const Declaration& declaration) {
  // Nodes store nothing there.
  if (moves_worms(declaration.storage)) return;
  values["queue.max"] = queue.max;
  if (queue.max == 0) return;
  values["queue.node"] = queue.node;
  values["queue.step"] = queue.step;
}

void add_storage(FigureValues& values, const Declaration& declaration) {
  values["storage.model"] = storage_model_names[static_cast<std::size_t>(declaration.storage)];
  values["storage.bound"] = declaration.bound;
  values["storage.channels"] = declaration.channels;
  values["storage.capacity"] = declaration.capacity;
  values["storage.routes_own"] = declaration.routes_own;
  if (!declaration.places.empty()) values["storage.places"] = declaration.places;
}

std::string queue_text(const QueueMaximum& queue, const Declaration& declaration, const NetworkGraph& graph) {
  if (moves_worms(declaration.storage)) return "none: nodes store nothing";
  if (queue.max == 0) return "always empty";
  return fmt::format("at most {}, first in {} at the end of step {}", counted(queue.max, "packet"),
                     graph.node_name(queue.node), queue.step);
}

std::string busiest_link(const RunRecord& record, const NetworkGraph& graph) {
  const auto& load = record.link_load;
  const auto busiest = std::max_element(load.begin(), load.end());
  if (busiest == load.end() || *busiest == 0) return "none: no flit crossed a link";
  const auto index = static_cast<NodeId>(busiest - load.begin());
  return fmt::format("{} with {}", graph.link_name(index / graph.ports(), index % graph.ports()),
                     counted(*busiest, "flit"));
}

}  // namespace

FigureValues figures_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record,
                        const std::optional<Phases>& phases) {
  const auto& load = record.link_load;
  FigureValues values;
  add_schedule(values, record.schedule ? record.schedule : algorithm.schedule());
  add_distance(values, record, graph, Counted(phases));
  add_queue(values, record.queue, algorithm.declaration());
  values["links.flit_hops"] = record.flit_hops;
  values["links.control_hops"] = record.control_hops;
  values["links.max_load"] = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  add_figures(values, "bounds", algorithm.bounds(record.packets));
  add_figures(values, "algorithm", algorithm.figures());
  add_figures(values, "algorithm", record.figures);
  add_storage(values, algorithm.declaration());
  return values;
}

std::vector<Line> summary_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record) {
  return {{"queue", queue_text(record.queue, algorithm.declaration(), graph)},
          {"busiest link", busiest_link(record, graph)}};
}

}  // namespace starloom::links

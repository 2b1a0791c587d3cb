#include <starloom/kinds/links/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/results/counted.hpp>
#include <starloom/results/figures_json.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

Json distance_json(const RunRecord& record, const NetworkGraph& graph, const Counted& counted) {
  std::vector<std::int64_t> distances;
  for (const Packet& packet : record.packets)
    if (counted(packet)) distances.push_back(graph.distance(packet.source, packet.destination));
  const auto figures = statistics_of(std::move(distances));
  if (!figures) return {{"max", nullptr}, {"mean", nullptr}};
  return {{"max", figures->max}, {"mean", figures->mean}};
}

Json queue_json(const RunRecord& record, const Declaration& declaration) {
  // Nodes store nothing there.
  if (moves_worms(declaration.storage)) return nullptr;
  const QueueMaximum& queue = record.queue;
  if (queue.max == 0) return {{"max", 0}, {"node", nullptr}, {"step", nullptr}};
  return {{"max", queue.max}, {"node", queue.node}, {"step", queue.step}};
}

Json links_json(const RunRecord& record) {
  const auto& load = record.link_load;
  return {{"flit_hops", record.flit_hops},
          {"control_hops", record.control_hops},
          {"max_load", load.empty() ? 0 : *std::max_element(load.begin(), load.end())}};
}

Json storage_json(const Declaration& declaration) {
  Json storage = {{"model", storage_model_names[static_cast<std::size_t>(declaration.storage)]},
                  {"bound", declaration.bound},
                  {"channels", declaration.channels},
                  {"capacity", declaration.capacity},
                  {"routes_own", declaration.routes_own}};
  if (!declaration.places.empty()) storage["places"] = declaration.places;
  return storage;
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

nlohmann::ordered_json figures_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record,
                                  const std::optional<Phases>& phases) {
  Json json;
  json["schedule"] = schedule_json(record.schedule ? record.schedule : algorithm.schedule());
  json["distance"] = distance_json(record, graph, Counted(phases));
  json["queue"] = queue_json(record, algorithm.declaration());
  json["links"] = links_json(record);
  json["bounds"] = figures_json(algorithm.bounds(record.packets));
  json["algorithm"] = figures_json(algorithm.figures());
  json["algorithm"].update(figures_json(record.figures));
  json["storage"] = storage_json(algorithm.declaration());
  return json;
}

std::vector<Line> summary_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record) {
  return {{"queue", queue_text(record.queue, algorithm.declaration(), graph)},
          {"busiest link", busiest_link(record, graph)}};
}

}  // namespace starloom::links

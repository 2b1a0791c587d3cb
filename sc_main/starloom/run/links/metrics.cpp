// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/metrics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/results/links/link_use.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// Without packets the metrics have no value.
void add_lengths(MetricValues& values, const std::string& section, const Histogram& lengths) {
  values[section + ".max"] = values[section + ".mean"] = nullptr;
  if (const auto metrics = statistics_of(lengths)) {
    values[section + ".max"] = metrics->max;
    values[section + ".mean"] = metrics->mean;
  }
}

/// Distances, crossed links, and latencies by these.
void add_paths(MetricValues& values, const PacketSums& sums, bool hops_counted) {
  add_lengths(values, "distance", sums.distance);
  if (!hops_counted) return;
  add_lengths(values, "hops", sums.hops);
  if (sums.hops.sum() == 0) return;
  values["latency.per_hop"] = sums.latency.sum() / sums.hops.sum();
  if (sums.network) values["network_latency.per_hop"] = sums.network_latency.sum() / sums.hops.sum();
}

/// For open loop.
void add_throughput(MetricValues& values, const Measured& measured, NodeId processors) {
  const auto rate = [&](std::int64_t flits) -> nlohmann::ordered_json {
    if (measured.steps == 0) return nullptr;
    return static_cast<double>(flits) / (static_cast<double>(measured.steps) * processors);
  };
  values["throughput.offered"] = rate(measured.offered);
  values["throughput.accepted"] = rate(measured.accepted);
}

/// [class of traffic] in the form of the totals.
Json classes_json(const std::vector<TrafficClass>& classes, const SimulationResult& run, NodeId processors) {
  const auto latency = [](const Histogram& latencies, bool partial) {
    Json json = statistics_json(statistics_of(latencies));
    json["partial"] = partial;
    return json;
  };
  Json list = Json::array();
  for (std::size_t number = 0; number < classes.size(); ++number) {
    const PacketSums::OfClass& own = run.sums.classes[number];
    const std::int64_t left = own.total - own.latency.count();
    Json& json = list.emplace_back();
    json["name"] = classes[number].name;
    json["packets"] = {{"total", own.total}, {"delivered", own.latency.count()}, {"undelivered", left}};
    json["latency"] = latency(own.latency, left > 0);
    json["network_latency"] = latency(own.network_latency, left > 0);
    json["throughput"] = nullptr;
    if (run.measured) {
      const auto rate = [&](const std::vector<std::int64_t>& flits) -> Json {
        if (run.measured->steps == 0) return nullptr;
        return number_json(static_cast<double>(flits[number]) /
                           (static_cast<double>(run.measured->steps) * processors));
      };
      json["throughput"] = {{"offered", rate(run.measured->offered_by_class)},
                            {"accepted", rate(run.measured->accepted_by_class)}};
    }
    json["oldest"] = own.oldest == no_step ? Json(nullptr) : Json(run.record.steps_run - own.oldest);
  }
  return list;
}

/// A line for each class.
void add_class_lines(std::vector<Line>& lines, const std::vector<TrafficClass>& classes, const SimulationResult& run,
                     NodeId processors) {
  std::string label = "classes";
  for (std::size_t number = 0; number < classes.size(); ++number) {
    const PacketSums::OfClass& own = run.sums.classes[number];
    std::string text =
        fmt::format("{}: {} of {} delivered", classes[number].name, own.latency.count(), counted(own.total, "packet"));
    if (const auto found = statistics_of(own.latency))
      text += fmt::format(", latency mean {:.2f}, p99 {}, max {}", found->mean, found->p99, found->max);
    if (run.measured && run.measured->steps > 0) {
      const double steps = static_cast<double>(run.measured->steps) * processors;
      text += fmt::format(", accepted {:.4f}, offered {:.4f}",
                          static_cast<double>(run.measured->accepted_by_class[number]) / steps,
                          static_cast<double>(run.measured->offered_by_class[number]) / steps);
    }
    if (own.latency.count() < own.total)
      text += fmt::format(", oldest packet {} steps old", run.record.steps_run - own.oldest);
    lines.push_back({std::exchange(label, ""), text});
  }
}

/// The link or local port of `full`; empty for the other reasons.
std::string full_port(const NetworkGraph& graph, const SaturationVerdict& verdict) {
  if (verdict.link >= 0) return graph.link_name(verdict.link / graph.ports(), verdict.link % graph.ports());
  return verdict.node == no_node ? "" : graph.node_name(verdict.node);
}

void add_saturation(MetricValues& values, const NetworkGraph& graph, const SaturationVerdict& verdict) {
  values["saturation.reason"] = saturation_reason_names[static_cast<std::size_t>(verdict.reason)];
  values["saturation.step"] = verdict.step;
  const std::string port = full_port(graph, verdict);
  values["saturation.link"] = port.empty() ? Json(nullptr) : Json(port);
}

void add_queue(MetricValues& values, const QueueMaximum& queue, const Declaration& declaration,
               const NetworkGraph& graph) {
  // These nodes store no packets.
  if (moves_worms(declaration.storage)) return;
  values["queue.max"] = queue.max;
  if (queue.max == 0) return;
  values["queue.node"] = graph.home(queue.node);
  values["queue.step"] = queue.step;
}

void add_deadlock(MetricValues& values, const Deadlock& deadlock, const NetworkGraph& graph) {
  const auto or_null = [](std::int64_t value) { return value < 0 ? Json(nullptr) : Json(value); };
  Json cycle = Json::array();
  for (const Engine::Waiting& waiting : deadlock.cycle) {
    const LinkEnd end = graph.in_files({waiting.port_node(), waiting.wants});
    cycle.push_back({{"node", end.node},
                     {"port", or_null(end.port)},
                     {"channel", or_null(waiting.channel)},
                     {"packet", waiting.packet}});
  }
  if (deadlock.step != no_step) values["deadlock.step"] = deadlock.step;
  values["deadlock.circle"] = cycle;
}

void add_storage(MetricValues& values, const Declaration& declaration) {
  values["storage.model"] = storage_model_names[static_cast<std::size_t>(declaration.storage)];
  values["storage.bound"] = declaration.bound;
  values["storage.channels"] = declaration.channels;
  values["storage.capacity"] = declaration.capacity;
  values["storage.routes_own"] = declaration.routes_own;
  if (!declaration.residents.empty()) values["storage.places"] = declaration.residents;
}

std::string queue_text(const QueueMaximum& queue, const Declaration& declaration, const NetworkGraph& graph) {
  if (moves_worms(declaration.storage)) return "none: nodes have no buffers";
  if (queue.max == 0) return "always empty";
  return fmt::format("at most {}, first in {} at the end of step {}", counted(queue.max, "packet"),
                     graph.node_name(queue.node), queue.step);
}

std::string busiest_link_text(const NetworkGraph& graph, const LinkUse& use) {
  const auto link = busiest_link(graph, use);
  if (!link) return "none: no flit crossed a link";
  const std::int64_t flits = use.flits[graph.index(link->node, link->port)];
  const std::int32_t interval = graph.interval(link->node, link->port);
  return fmt::format("{}, {} % busy: {}{} in {}", graph.link_name(link->node, link->port),
                     decimal(100 * utilisation(flits, interval, use.steps), 3), counted(flits, "flit"),
                     interval == 1 ? "" : fmt::format(", each for {} steps,", interval), counted(use.steps, "step"));
}

/// In open loop not all packets are listed. A bound depends only on whether they are all created in step 0.
const std::vector<Packet> goes_on = {{0, 0, 1, 0}, {0, 0, 1, 1}};

}  // namespace

MetricValues metrics_of(const NetworkGraph& graph, const Algorithm& algorithm, const SimulationResult& run,
                        const std::optional<Phases>& phases) {
  const RunRecord& record = run.record;
  const auto& load = record.link_load;
  MetricValues values;
  add_schedule(values, record.schedule ? record.schedule : algorithm.schedule());
  add_paths(values, run.sums, run.hops_counted);
  add_queue(values, record.queue, algorithm.declaration(), graph);
  if (run.measured) add_throughput(values, *run.measured, graph.processors());
  if (phases) values["saturated"] = run.outcome == Outcome::saturated;
  if (phases && run.saturation) add_saturation(values, graph, *run.saturation);
  values["links.flit_hops"] = record.flit_hops;
  values["links.control_hops"] = record.control_hops;
  if (run.deadlock) add_deadlock(values, *run.deadlock, graph);
  if (const auto& classes = algorithm.declaration().classes; !classes.empty())
    values["classes"] = classes_json(classes, run, graph.processors());
  values["links.max_load"] = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  add_metrics(values, "bounds", algorithm.bounds(phases ? goes_on : record.packets));
  add_metrics(values, "algorithm", algorithm.metrics());
  add_metrics(values, "algorithm", record.metrics);
  add_storage(values, algorithm.declaration());
  return values;
}

std::string saturation_text(const NetworkGraph& graph, const SaturationVerdict& verdict, const std::string& load) {
  const std::string backlog = fmt::format(
      "{} are in flight or waiting at step {}, {:.1f} times the number in flight without contention at this load",
      counted(verdict.flits, "flit"), verdict.step, static_cast<double>(verdict.flits) / verdict.pipe);
  switch (verdict.reason) {
    case SaturationReason::full:
      return fmt::format(
          "the network cannot carry the offered load: {}{} was busy in every measured step, and {}; lower {}",
          verdict.link >= 0 ? "" : "the local port of ", full_port(graph, verdict), backlog, load);
    case SaturationReason::backlog:
      return fmt::format("the network cannot carry the offered load: {}, and their number still grew; lower {}",
                         backlog, load);
    case SaturationReason::drain:
      return "packets of the measurement phase are undelivered after the drain; raise traffic.drain or lower " + load;
    case SaturationReason::latency: break;
  }
  return "the mean latency of the measurement phase is above limits.latency times the zero-load latency; raise "
         "limits.latency, or to disable this test set limits.latency: off";
}

std::vector<Line> summary_of(const NetworkGraph& graph, const Algorithm& algorithm, const SimulationResult& run) {
  std::vector<Line> lines = {{"queue", queue_text(run.record.queue, algorithm.declaration(), graph)},
                             {"busiest link", busiest_link_text(graph, link_use_of(run))}};
  add_class_lines(lines, algorithm.declaration().classes, run, graph.processors());
  return lines;
}

}  // namespace starloom::links

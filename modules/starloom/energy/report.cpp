// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/report.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <starloom/topology/subnets.hpp>

namespace starloom::energy {
namespace {

std::optional<double> ratio(double dividend, double divisor) {
  return divisor == 0 ? std::nullopt : std::optional(dividend / divisor);
}

/// True if events of a kind can occur in routers, or on links, of a storage model.
bool can_occur(Event event, StorageModel storage, bool on_link) {
  if (on_link != is_of_link(event)) return false;
  const bool worms = links::moves_worms(storage), channels = storage == StorageModel::virtual_channels;
  switch (event) {
    case Event::buffer_write:
    case Event::buffer_read: return !worms;
    case Event::channel:
    case Event::credit: return channels;
    case Event::latch: return worms;
    case Event::switch_grant:
    case Event::crossbar:
    case Event::link:
    case Event::clock:
    case Event::route: break;
  }
  return true;
}

/// A row of `energy.csv`.
std::string row_of(const std::string& kind, const std::string& name, const LinkEnd& end, const Use& use,
                   StorageModel storage, const Duration& duration, const std::string& toggles) {
  const bool on_link = end.port != no_port;
  std::string row = fmt::format("{},{},{},{}", kind, name, end.node, on_link ? std::to_string(end.port) : "");
  for (std::size_t event = 0; event < event_count; ++event)
    row += can_occur(static_cast<Event>(event), storage, on_link) ? fmt::format(",{}", use.counts[event]) : ",";
  row += toggles;
  const Exact dynamic = use.all_dynamic(), leaked = duration.leaked(use.all_leakage());
  return row + fmt::format(",{},{},{},{}\n", exact_text(dynamic, decimals_of_energy),
                           exact_text(leaked, decimals_of_energy), exact_text(use.all_area(), decimals_of_area),
                           mean_power_mw(use, duration));
}

}  // namespace

Duration duration_of(Step steps, double clock_ns) { return {steps, std::llround(clock_ns * 1000)}; }

Report report_of(const Hardware& hardware, const Events& events, const RunFacts& facts) {
  const Duration duration = duration_of(events.steps, facts.clock_ns);
  Report report{use_of_network(hardware, events), {}, 0, 0, {}, {}, {}, {}, {}};
  std::transform(report.use.leakage.begin(), report.use.leakage.end(), report.leaked.begin(),
                 [&](Exact power) { return duration.leaked(power); });
  report.dynamic = report.use.all_dynamic();
  report.leakage = std::accumulate(report.leaked.begin(), report.leaked.end(), Exact{0});
  const double total = picojoules(report.total());
  const auto flits = static_cast<double>(events.ejected);
  report.per_packet_pj = ratio(total, static_cast<double>(facts.packets));
  report.per_flit_pj = ratio(picojoules(report.dynamic), flits);
  report.per_bit_pj = ratio(total, flits * facts.bits);
  report.power_mw = ratio(total, duration.nanoseconds());
  if (report.per_packet_pj && facts.mean_latency)
    report.edp_pj_ns = *report.per_packet_pj * *facts.mean_latency * facts.clock_ns;
  return report;
}

std::string energy_csv_header(bool has_toggles) {
  return fmt::format("kind,name,node,port,{}{},dynamic_pj,leakage_pj,area_um2,power_mw", fmt::join(event_names, ","),
                     has_toggles ? ",toggles" : "");
}

std::string energy_csv(const NetworkGraph& graph, const Hardware& hardware, const Events& events, StorageModel storage,
                       double clock_ns) {
  const Duration duration = duration_of(events.steps, clock_ns);
  const bool has_toggles = !events.toggles.empty();
  std::string text = energy_csv_header(has_toggles) + '\n';
  const std::vector<NodeId> nodes = nodes_in_files(graph);
  for (const NodeId node : nodes)
    if (hardware.has_router(node))
      text += row_of("router", graph.node_name(node), graph.in_files({node, no_port}),
                     use_of_router(hardware, events, node), storage, duration, has_toggles ? "," : "");
  for (const NodeId node : nodes)
    for (const Port port : graph.out_ports(node))
      text += row_of("link", graph.link_name(node, port), graph.in_files({node, port}),
                     use_of_link(hardware, events, graph.index(node, port)), storage, duration,
                     has_toggles ? fmt::format(",{}", events.toggles[graph.index(node, port)]) : "");
  return text;
}

}  // namespace starloom::energy

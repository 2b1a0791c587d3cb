// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/energy_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <starloom/energy/totals.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/run/text_file.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/subnets.hpp>
#include <utility>

namespace starloom::links {
namespace {

using energy::Exact;
using Json = nlohmann::ordered_json;

/// The place of a formula that cannot be used: in the file of its table, or the section of the experiment.
void add_failure(const Experiment& experiment, const energy::Costs::Failure& failure, Diagnostics& diagnostics) {
  const energy::Table& table = *experiment.energy->table;
  const char* const section = failure.section == &table.energy    ? "energy"
                              : failure.section == &table.leakage ? "leakage"
                                                                  : "area";
  const energy::Entry& entry = failure.section->at(failure.component);
  const std::string text = fmt::format("{}.{}", section, failure.text);
  if (entry.line == 0)
    diagnostics.add(experiment.location("energy"), fmt::format("energy: table {}: {}", table.name, text));
  else diagnostics.add_placed(fmt::format("{}:{}:{}: {}", table.file, entry.line, entry.column, text));
}

energy::Duration duration_of(const Experiment& experiment, Step steps) {
  return {steps, std::llround(experiment.units.clock_ns * 1000)};
}

/// Numbers that result.json has with every digit.
class ExactNumbers {
 public:
  explicit ExactNumbers(RunReport& report) : report_(report) {}

  void add(const std::string& path, Exact value, int decimals) {
    report_.metrics[path] = json_of(path, value, decimals);
  }
  /// \param names, values of an object at `path`
  template <class Names, class Values>
  void add(const std::string& path, const Names& names, const Values& values, int decimals) {
    Json object = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
      object[std::string(names[i])] = json_of(fmt::format("{}.{}", path, names[i]), values[i], decimals);
    report_.metrics[path] = std::move(object);
  }

 private:
  /// The number nearest to it, of which result.json gets the text of all digits if they differ.
  Json json_of(const std::string& path, Exact value, int decimals) {
    std::string text = energy::exact_text(value, decimals);
    Json number = Json::parse(text);
    if (number.dump() != text && number.dump() != text + ".0") report_.exact_numbers.emplace(path, std::move(text));
    return number;
  }

  RunReport& report_;
};

/// A quotient, or null.
Json ratio(double dividend, double divisor) { return divisor == 0 ? Json(nullptr) : number_json(dividend / divisor); }

/// True if events of a kind can occur in routers, or on links, of a storage model.
bool can_occur(energy::Event event, StorageModel storage, bool on_link) {
  using energy::Event;
  if (on_link != energy::is_of_link(event)) return false;
  const bool worms = moves_worms(storage), channels = storage == StorageModel::virtual_channels;
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
std::string row_of(const std::string& kind, const std::string& name, const LinkEnd& end, const energy::Use& use,
                   StorageModel storage, const energy::Duration& duration) {
  const bool on_link = end.port != no_port;
  std::string row = fmt::format("{},{},{},{}", kind, name, end.node, on_link ? std::to_string(end.port) : "");
  for (std::size_t event = 0; event < energy::event_count; ++event)
    row += can_occur(static_cast<energy::Event>(event), storage, on_link) ? fmt::format(",{}", use.counts[event]) : ",";
  const Exact dynamic = use.all_dynamic(), leaked = duration.leaked(use.all_leakage());
  const double power = duration.steps == 0 ? 0 : energy::picojoules(dynamic + leaked) / duration.nanoseconds();
  return row + fmt::format(",{},{},{},{}\n", energy::exact_text(dynamic, energy::decimals_of_energy),
                           energy::exact_text(leaked, energy::decimals_of_energy),
                           energy::exact_text(use.all_area(), energy::decimals_of_area), power);
}

std::string energy_csv(const NetworkGraph& graph, const energy::Hardware& hardware, const energy::Events& events,
                       StorageModel storage, const energy::Duration& duration) {
  std::string text = "kind,name,node,port";
  for (const std::string_view name : energy::event_names) text += fmt::format(",{}", name);
  text += ",dynamic_pj,leakage_pj,area_um2,power_mw\n";
  const std::vector<NodeId> nodes = nodes_in_files(graph);
  for (const NodeId node : nodes)
    if (hardware.has_router(node))
      text += row_of("router", graph.node_name(node), graph.in_files({node, no_port}),
                     use_of_router(hardware, events, node), storage, duration);
  for (const NodeId node : nodes)
    for (const Port port : graph.out_ports(node))
      text += row_of("link", graph.link_name(node, port), graph.in_files({node, port}),
                     use_of_link(hardware, events, graph.index(node, port)), storage, duration);
  return text;
}

}  // namespace

energy::Hardware energy_hardware(const Experiment& experiment, const NetworkGraph& graph,
                                 const Declaration& declaration, Diagnostics& diagnostics) {
  const EnergyConfig& config = *experiment.energy;
  energy::Costs costs(*config.table, config.conditions);
  energy::Hardware hardware = energy::hardware_of(graph, declaration, config.sizes, costs);
  for (const auto& [name, text] : hardware.unknown_links)
    diagnostics.add(experiment.location("energy.link_mm." + name), fmt::format("energy.link_mm: {}", text));
  for (const energy::Costs::Failure& failure : costs.failures()) add_failure(experiment, failure, diagnostics);
  return hardware;
}

std::vector<std::string> energy_warnings(const energy::Table& table, const energy::Hardware& hardware) {
  std::vector<std::string> warnings;
  for (const auto& [letter, range] : table.ranges) {
    const auto& [least, greatest] = range;
    for (const energy::RouterSize& size : hardware.router_sizes) {
      const int value = letter == 'W'   ? size.bits
                        : letter == 'N' ? size.places
                        : letter == 'P' ? size.ports
                                        : size.channels;
      if ((letter == 'N' && value == 0) || (value >= least && value <= greatest)) continue;
      warnings.push_back(
          fmt::format("energy: table {} is known to hold for {} from {:g} to {:g}, not for {}, which "
                      "routers of this network have",
                      table.name, letter, least, greatest, value));
      break;
    }
  }
  return warnings;
}

void add_energy(RunReport& report, const Experiment& experiment, const NetworkGraph& graph,
                const energy::Hardware& hardware, const energy::EventTally& tally, const SimulationResult& result) {
  const energy::Duration duration = duration_of(experiment, link_use_of(result).steps);
  const energy::Events events = tally.events(duration.steps);
  const energy::Use use = use_of_network(hardware, events);
  std::array<Exact, energy::silicon_count> leaked{};
  std::transform(use.leakage.begin(), use.leakage.end(), leaked.begin(),
                 [&](Exact power) { return duration.leaked(power); });
  const Exact dynamic = use.all_dynamic(), leakage = std::accumulate(leaked.begin(), leaked.end(), Exact{0});
  const RunRecord& record = result.record;
  const std::int64_t packets = result.measured ? result.measured->arrived : record.delivered_count - record.own_count;
  const std::string path = "energy.";
  MetricValues& values = report.metrics;
  ExactNumbers numbers(report);
  values[path + "table"] = experiment.energy->table->name;
  values[path + "steps"] = duration.steps;
  numbers.add(path + "total_pj", dynamic + leakage, energy::decimals_of_energy);
  numbers.add(path + "dynamic_pj", dynamic, energy::decimals_of_energy);
  numbers.add(path + "leakage_pj", leakage, energy::decimals_of_energy);
  numbers.add(path + "dynamic", energy::event_names, use.dynamic, energy::decimals_of_energy);
  numbers.add(path + "leakage", energy::silicon_names, leaked, energy::decimals_of_energy);
  numbers.add(path + "counts", energy::event_names, use.counts, 0);
  const double total_pj = energy::picojoules(dynamic + leakage);
  const auto flits = static_cast<double>(events.ejected);
  const Json per_packet = ratio(total_pj, static_cast<double>(packets));
  values[path + "per_packet_pj"] = per_packet;
  values[path + "per_flit_pj"] = ratio(energy::picojoules(dynamic), flits);
  values[path + "per_bit_pj"] = ratio(total_pj, flits * experiment.energy->sizes.bits);
  values[path + "power_mw"] = ratio(total_pj, duration.nanoseconds());
  const auto latency = statistics_of(result.sums.latency);
  values[path + "edp_pj_ns"] = per_packet.is_null() || !latency
                                   ? Json(nullptr)
                                   : number_json(per_packet.get<double>() * latency->mean * experiment.units.clock_ns);
  numbers.add(path + "area_um2", energy::silicon_names, use.area, energy::decimals_of_area);
  values[path + "area_um2"]["total"] = Json::parse(energy::exact_text(use.all_area(), energy::decimals_of_area));
  const auto power = values.at(path + "power_mw");
  report.lines.push_back(
      {"energy", fmt::format("{} pJ, {} % of it dynamic; {}area {} mm2; table {}", decimal(total_pj, 6),
                             total_pj == 0 ? "0" : decimal(100 * energy::picojoules(dynamic) / total_pj, 3),
                             power.is_null() ? "" : fmt::format("{} mW; ", decimal(power.get<double>(), 4)),
                             decimal(static_cast<double>(use.all_area()) / 1e9, 4), experiment.energy->table->name)});
  report.files.push_back(text_file("energy.csv", energy_csv(graph, hardware, events, tally.storage(), duration)));
}

}  // namespace starloom::links

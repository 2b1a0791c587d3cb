// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/energy_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/energy/report.hpp>
#include <starloom/energy/table_file.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/run/text_file.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/numbers.hpp>
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

/// Numbers that result.json has with every digit.
class ExactNumbers {
 public:
  explicit ExactNumbers(RunReport& report) : report_(report) {}

  void add(const std::string& path, Exact value, int decimals) {
    report_.metrics[path] = json_of(path, value, decimals);
  }
  /// A member of the object at `path`.
  void add_to(const std::string& path, const std::string& name, Exact value, int decimals) {
    report_.metrics[path][name] = json_of(path + "." + name, value, decimals);
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
    Json number = number_json(*parse_number(text));
    if (number.dump() != text) report_.exact_numbers.emplace(path, std::move(text));
    return number;
  }

  RunReport& report_;
};

Json number_or_null(const std::optional<double>& value) { return value ? number_json(*value) : Json(nullptr); }

/// Adds an error if the bytes that packets carry are not known, or their toggles over time are asked for.
void refuse_toggles(const Experiment& experiment, Diagnostics& diagnostics) {
  const auto refuse = [&](const char* key, const std::string& text) {
    diagnostics.add(experiment.location(key), fmt::format("{}: {}", key, text));
  };
  const EnergyConfig& config = *experiment.energy;
  const std::int64_t bits = 8 * experiment.units.flit_bytes;
  if (experiment.pattern->name != "transactions")
    refuse("energy.data", "toggles needs packets that carry bytes, those of traffic.pattern: transactions");
  if (config.sizes.bits != bits)
    refuse("energy.width_bits",
           fmt::format("toggles are those of units.flit_bytes, {} bits; leave width_bits out", bits));
  if (config.window > 0)
    refuse("energy.window", "the bits that toggle are those of the whole run; leave window out, or energy.data");
}

}  // namespace

energy::Hardware energy_hardware(const Experiment& experiment, const NetworkGraph& graph,
                                 const Declaration& declaration, Diagnostics& diagnostics) {
  const EnergyConfig& config = *experiment.energy;
  energy::Costs costs(*config.table, config.conditions);
  energy::Hardware hardware = energy::hardware_of(graph, declaration, config.sizes, costs);
  if (config.gates_idle && declaration.multicast != nullptr)
    diagnostics.add(experiment.location("energy.gating"),
                    "energy.gating: idle does not know when the last copy of a packet to several destinations leaves a "
                    "router; leave it out");
  if (config.conditions.counts_toggles) refuse_toggles(experiment, diagnostics);
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

MeasuredEvents::MeasuredEvents(const std::optional<Phases>& phases, const energy::BusySteps* busy, Step window,
                               WindowEnd window_end)
    : busy_(busy), window_(window), window_end_(std::move(window_end)) {
  if (!phases) return;
  from_ = window_from_ = phases->warmup;
  to_ = phases->warmup + phases->measure;
}

Step MeasuredEvents::due() const {
  if (!before_) return from_;
  if (measured_) return no_step;
  const Step window_to = window_from_ + window_;
  return has_windows() && (to_ == no_step || window_to < to_) ? window_to : to_;
}

void MeasuredEvents::read(EventCounts events) {
  if (busy_ != nullptr) events.busy = busy_->before(due());
  if (!before_) {
    before_ = before_window_ = std::move(events);
    return;
  }
  const Step step = due();
  end_window(step, events);
  if (step == to_) measured_ = std::move(events -= *before_);
}

void MeasuredEvents::finish(Step steps, EventCounts events) {
  if (busy_ != nullptr) events.busy = busy_->before(steps);
  if (!before_) before_ = events;  // the run was over before
  if (measured_) return;
  end_window(steps, events);
  measured_ = std::move(events -= *before_);
}

void MeasuredEvents::end_window(Step end, const EventCounts& events) {
  if (!has_windows() || end <= window_from_) return;
  ++windows_;
  EventCounts of_window = events;
  window_end_(window_from_, of_window -= before_window_, end - window_from_);
  window_from_ = end;
  before_window_ = events;
}

void add_energy(RunReport& report, const Experiment& experiment, const NetworkGraph& graph,
                const Declaration& declaration, const energy::Hardware& hardware, const energy::Events& events,
                const RequestCounts& requests, const energy::Windows& windows, const SimulationResult& result) {
  // Attempts to send a packet again are packets here: they cost as much.
  const RunRecord& record = result.of_attempts ? result.of_attempts->record : result.record;
  const auto latency = statistics_of(result.sums.latency);
  const double clock_ns = experiment.units.clock_ns;
  const EnergyConfig& config = *experiment.energy;
  const std::int64_t packets = result.measured ? result.measured->arrived : record.delivered_count - record.own_count;
  const energy::Report found =
      report_of(hardware, events,
                {clock_ns, config.sizes.bits, packets, latency ? std::optional<double>(latency->mean) : std::nullopt});
  const std::string path = "energy.";
  MetricValues& values = report.metrics;
  ExactNumbers numbers(report);
  values[path + "table"] = config.table->name;
  values[path + "steps"] = events.steps;
  numbers.add(path + "total_pj", found.total(), energy::decimals_of_energy);
  numbers.add(path + "dynamic_pj", found.dynamic, energy::decimals_of_energy);
  numbers.add(path + "leakage_pj", found.leakage, energy::decimals_of_energy);
  numbers.add(path + "dynamic", energy::event_names, found.use.dynamic, energy::decimals_of_energy);
  numbers.add(path + "leakage", energy::silicon_names, found.leaked, energy::decimals_of_energy);
  numbers.add(path + "counts", energy::event_names, found.use.counts, 0);
  numbers.add_to(path + "counts", "vc_requests", requests.channels, 0);
  numbers.add_to(path + "counts", "switch_requests", requests.switches, 0);
  values[path + "per_packet_pj"] = number_or_null(found.per_packet_pj);
  values[path + "per_flit_pj"] = number_or_null(found.per_flit_pj);
  values[path + "per_bit_pj"] = number_or_null(found.per_bit_pj);
  values[path + "power_mw"] = number_or_null(found.power_mw);
  values[path + "peak_mw"] = number_or_null(windows.peak_mw());
  values[path + "edp_pj_ns"] = number_or_null(found.edp_pj_ns);
  numbers.add(path + "area_um2", energy::silicon_names, found.use.area, energy::decimals_of_area);
  numbers.add_to(path + "area_um2", "total", found.use.all_area(), energy::decimals_of_area);
  const double total_pj = energy::picojoules(found.total());
  report.lines.push_back(
      {"energy", fmt::format("{} pJ, {} % of it dynamic; {}area {} mm2; table {}", decimal(total_pj, 6),
                             total_pj == 0 ? "0" : decimal(100 * energy::picojoules(found.dynamic) / total_pj, 3),
                             found.power_mw ? fmt::format("{} mW; ", decimal(*found.power_mw, 4)) : "",
                             decimal(static_cast<double>(found.use.all_area()) / 1e9, 4), config.table->name)});
  report.files.push_back(text_file("energy.csv", energy_csv(graph, hardware, events, declaration.storage, clock_ns)));
  if (config.window > 0) report.files.push_back(text_file("energy_windows.csv", windows.csv()));
  if (windows.full())
    report.lines.push_back(
        {"", fmt::format("energy_windows.csv ends after {} windows; raise energy.window", energy::Windows::most)});
  if (!config.table->file.empty()) report.files.push_back(text_file(energy::copy_of_table, config.table->text));
}

PowerUse power_use_of(const NetworkGraph& graph, const energy::Hardware& hardware, const energy::Events& events,
                      double clock_ns) {
  const energy::Duration duration = energy::duration_of(events.steps, clock_ns);
  PowerUse power;
  power.network = mean_power_mw(use_of_network(hardware, events), duration);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    power.routers.push_back(hardware.has_router(node)
                                ? std::optional<double>(mean_power_mw(use_of_router(hardware, events, node), duration))
                                : std::nullopt);
  for (std::size_t link = 0; link < hardware.links.size(); ++link)
    power.links.push_back(mean_power_mw(use_of_link(hardware, events, link), duration));
  return power;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/energy.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include <starloom/core/most_steps.hpp>
#include <starloom/energy/report.hpp>
#include <starloom/energy/table_file.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {
namespace {

const std::string section = "experiment.energy";
// Beyond these times and numbers of steps, sums would not fit.
constexpr double shortest_clock_ns = 0.001, longest_clock_ns = 1e9;
const std::string path_to_bits = section + ".width_bits";

/// The facts of an algorithm that its buffers depend on.
Declaration declaration_of(const RefereeRules& rules) {
  Declaration declaration;
  declaration.storage = static_cast<StorageModel>(rules.storage);
  declaration.bound = rules.bound;
  declaration.residents = rules.residents;
  declaration.channels = rules.channels;
  declaration.channels_of_nodes = rules.channels_of_nodes;
  declaration.capacity = rules.capacity;
  declaration.capacities = rules.capacities;
  if (rules.router) declaration.shared.places = rules.router->places;
  return declaration;
}

energy::Sizes read_sizes(const ResultDocument& result) {
  energy::Sizes sizes;
  sizes.bits = result.small(path_to_bits, 1, energy::most_bits);
  sizes.terminal_mm = result.number(section + ".terminal_mm");
  sizes.depth = result.small(section + ".depth", 1);
  const std::string lengths = section + ".link_mm";
  if (!result.at(lengths).is_object()) {
    sizes.other_link_mm = result.number(lengths);
    return sizes;
  }
  for (const auto& [name, length] : result.at(lengths).items()) {
    if (!length.is_number()) result.fail(lengths, "is not a map of lengths");
    if (name == "default") sizes.other_link_mm = length.get<double>();
    else sizes.link_mm.emplace_back(name, length.get<double>());
  }
  return sizes;
}

energy::Conditions read_conditions(const ResultDocument& result, const energy::Table& table) {
  energy::Conditions conditions;
  conditions.activity = result.number(section + ".activity");
  conditions.channel_allocator = result.boolean(section + ".channel_allocator");
  const auto condition = [&](const std::string& key, const std::optional<double>& of_table) -> std::optional<double> {
    const std::string path = section + "." + key;
    if (!result.given(path)) return std::nullopt;
    if (!of_table) result.fail(path, "is given, but not by the table");
    return result.number(path);
  };
  conditions.vdd = condition("vdd", table.vdd);
  conditions.temperature_k = condition("temperature_k", table.temperature_k);
  return conditions;
}

double number_of(energy::Exact value, int decimals) { return *parse_number(energy::exact_text(value, decimals)); }

}  // namespace

RunEnergy::RunEnergy(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
                     const RunFacts& facts)
    : folder_(folder),
      result_(result),
      graph_(graph),
      facts_(facts),
      declaration_(declaration_of(facts.rules)),
      table_(read_table()),
      hardware_(read_hardware()),
      clock_ns_(read_clock()),
      window_(result.integer(section + ".window", 0, most_steps)),
      window_from_(facts.measured_from),
      tally_(graph, declaration_, facts.measured_from, facts.measured_to),
      of_window_(tally_),
      gates_idle_(read_gating()),
      busy_steps_(graph, facts.rules.faults != nullptr),
      windows_(hardware_, clock_ns_) {}

double RunEnergy::read_clock() const {
  const std::string path = "experiment.units.clock_ns";
  const double clock_ns = result_.number(path);
  if (clock_ns < shortest_clock_ns || clock_ns > longest_clock_ns) result_.fail(path, "is out of range");
  return clock_ns;
}

energy::Table RunEnergy::read_table() const {
  const std::string name = result_.text(section + ".table");
  const bool built_in = contains(energy::built_in_tables(), name);
  return energy::read_table(folder_, built_in ? name : energy::copy_of_table, section + ".table");
}

energy::Hardware RunEnergy::read_hardware() const {
  energy::Costs costs(table_, read_conditions(result_, table_));
  energy::Hardware hardware = energy::hardware_of(graph_, declaration_, read_sizes(result_), costs);
  if (!costs.failures().empty()) result_.fail(section + ".table", "is wrong: " + costs.failures().begin()->text);
  for (const auto& [name, text] : hardware.unknown_links) result_.fail(section + ".link_mm", "is wrong: " + text);
  return hardware;
}

void RunEnergy::rows(const std::vector<TraceRow>& of_one_step) {
  advance(of_one_step.front().step);
  tally_.rows(of_one_step);
  of_window_.rows(of_one_step);
  if (gates_idle_) busy_steps_.rows(of_one_step);
  for (const TraceRow& row : of_one_step) {
    if (row.event != TraceEvent::eject) continue;
    const auto packet = static_cast<std::size_t>(row.packet);
    if (ejected_.size() <= packet) ejected_.resize(packet + 1, false);
    ejected_[packet] = true;
  }
}

bool RunEnergy::read_gating() const {
  const std::string path = section + ".gating", gating = result_.text(path);
  if (gating != "none" && gating != "idle") result_.fail(path, "is neither none nor idle");
  return gating == "idle";
}

/// Begins and ends the measured steps and the windows before a step, all rows before which are known.
void RunEnergy::advance(Step step) {
  if (step < facts_.measured_from) return;
  if (!std::exchange(measuring_, true)) {
    busy_since(busy_at_start_, facts_.measured_from);
    busy_at_window_ = busy_at_start_;
  }
  const Step end = facts_.measured_to == no_step ? step : std::min(step, facts_.measured_to);
  while (window_ > 0 && window_from_ + window_ <= end && !windows_.full()) end_window(window_);
  if (end == facts_.measured_to) end_measuring(end);
}

void RunEnergy::end_measuring(Step end) {
  if (busy_) return;
  if (window_ > 0 && window_from_ < end && !windows_.full()) end_window(end - window_from_);
  busy_ = busy_since(busy_at_start_, end);
}

void RunEnergy::end_window(Step steps) {
  windows_.add(window_from_, of_window_.take(steps, busy_since(busy_at_window_, window_from_ + steps)));
  window_from_ += steps;
}

/// [node] The busy steps before `step` that are not in `before`, which then has them; empty: clocks are not gated.
std::vector<std::int64_t> RunEnergy::busy_since(std::vector<std::int64_t>& before, Step step) const {
  if (!gates_idle_) return {};
  std::vector<std::int64_t> now = busy_steps_.before(step), since = now;
  for (std::size_t node = 0; node < before.size(); ++node) since[node] -= before[node];
  before = std::move(now);
  return since;
}

/// The measured steps. They are those of the run if it did not complete, which ends no earlier than its last row.
Step RunEnergy::steps(const RunMetrics& metrics) const {
  const Step given = result_.integer("energy.steps", 0, most_steps);
  if (facts_.phases) return metrics.measured_steps().value_or(given);
  if (facts_.outcome == Outcome::completed) return result_.integer("steps") + 1;
  return std::max(given, metrics.last_step() + 1);
}

/// Packets that arrived in the measured steps, and not without a row.
std::int64_t RunEnergy::arrived(const PacketTable& table) const {
  std::int64_t count = 0;
  for (std::size_t packet = 0; packet < ejected_.size(); ++packet) {
    const Step at = table.delivered[packet];
    const bool measured = at >= facts_.measured_from && (facts_.measured_to == no_step || at < facts_.measured_to);
    if (ejected_[packet] && at != no_step && measured) ++count;
  }
  return count;
}

void RunEnergy::compare(Comparison& comparison, const RunMetrics& metrics, const PacketTable& table) {
  const Step steps = this->steps(metrics), end = facts_.measured_from + steps;
  advance(end);
  end_measuring(end);
  const energy::Events events = tally_.events(steps, *busy_);
  const energy::Report found =
      report_of(hardware_, events,
                {clock_ns_, result_.small(path_to_bits, 1, energy::most_bits), arrived(table),
                 result_.given("latency.mean") ? std::optional(result_.number("latency.mean")) : std::nullopt});
  const auto expect = [&](const std::string& path, energy::Exact value, int decimals) {
    comparison.expect_number("energy." + path, number_of(value, decimals));
  };
  const auto expect_all = [&](const std::string& path, const auto& names, const auto& values, int decimals) {
    for (std::size_t i = 0; i < names.size(); ++i) expect(path + "." + std::string(names[i]), values[i], decimals);
  };
  comparison.expect_text("energy.table", table_.name);
  comparison.expect("energy.steps", events.steps);
  expect("total_pj", found.total(), energy::decimals_of_energy);
  expect("dynamic_pj", found.dynamic, energy::decimals_of_energy);
  expect("leakage_pj", found.leakage, energy::decimals_of_energy);
  expect_all("dynamic", energy::event_names, found.use.dynamic, energy::decimals_of_energy);
  expect_all("leakage", energy::silicon_names, found.leaked, energy::decimals_of_energy);
  expect_all("counts", energy::event_names, found.use.counts, 0);
  if (declaration_.storage != StorageModel::virtual_channels)
    for (const char* requests : {"energy.counts.vc_requests", "energy.counts.switch_requests"})
      comparison.expect(requests, std::int64_t{0});
  comparison.expect_number("energy.per_packet_pj", found.per_packet_pj);
  comparison.expect_number("energy.per_flit_pj", found.per_flit_pj);
  comparison.expect_number("energy.per_bit_pj", found.per_bit_pj);
  comparison.expect_number("energy.power_mw", found.power_mw);
  comparison.expect_number("energy.edp_pj_ns", found.edp_pj_ns);
  expect_all("area_um2", energy::silicon_names, found.use.area, energy::decimals_of_area);
  expect("area_um2.total", found.use.all_area(), energy::decimals_of_area);
  compare_file(comparison, "energy.csv", energy_csv(graph_, hardware_, events, declaration_.storage, clock_ns_));
  if (window_ > 0) compare_file(comparison, "energy_windows.csv", windows_.csv());
  comparison.expect_number("energy.peak_mw", windows_.peak_mw());
}

void RunEnergy::compare_file(Comparison& comparison, const std::string& name, const std::string& expected) const {
  const std::filesystem::path file = folder_ / name;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string() + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text == expected) return;
  // Both have the same lines before the one in which they differ.
  const auto differs =
      std::mismatch(text.begin(), text.end(), expected.begin(), expected.end()).second - expected.begin();
  const std::string before = expected.substr(0, static_cast<std::size_t>(differs));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // 0 if there is none
  const std::string wanted = expected.substr(start, expected.find('\n', start) - start);
  comparison.require(false, name + ":" + std::to_string(line) + ": by the trace " +
                                (wanted.empty() ? "the file ends here" : "the line is " + wanted));
}

}  // namespace starloom::links

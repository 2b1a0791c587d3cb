// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/energy.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include <starloom/core/most_steps.hpp>
#include <starloom/energy/report.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

double number_of(energy::Exact value, int decimals) { return *parse_number(energy::exact_text(value, decimals)); }

}  // namespace

RunEnergy::RunEnergy(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
                     const RunFacts& facts)
    : folder_(folder),
      result_(result),
      graph_(graph),
      facts_(facts),
      energy_(read_energy_facts(folder, result, graph, facts.rules)),
      windows_(energy_.hardware, energy_.clock_ns),
      measured_(graph, energy_, facts.rules.faults != nullptr, facts.measured_from, facts.measured_to, energy_.window,
                [this](Step from, const energy::Events& events) { windows_.add(from, events); }) {}

void RunEnergy::rows(const std::vector<TraceRow>& of_one_step) {
  measured_.rows(of_one_step);
  for (const TraceRow& row : of_one_step) {
    if (row.event != TraceEvent::eject) continue;
    const auto packet = static_cast<std::size_t>(row.packet);
    if (ejected_.size() <= packet) ejected_.resize(packet + 1, false);
    ejected_[packet] = true;
  }
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
  const energy::Events events = measured_.finish(steps(metrics));
  const energy::Report found =
      report_of(energy_.hardware, events,
                {energy_.clock_ns, energy_.bits, arrived(table),
                 result_.given("latency.mean") ? std::optional(result_.number("latency.mean")) : std::nullopt});
  const auto expect = [&](const std::string& path, energy::Exact value, int decimals) {
    comparison.expect_number("energy." + path, number_of(value, decimals));
  };
  const auto expect_all = [&](const std::string& path, const auto& names, const auto& values, int decimals) {
    for (std::size_t i = 0; i < names.size(); ++i) expect(path + "." + std::string(names[i]), values[i], decimals);
  };
  comparison.expect_text("energy.table", energy_.table.name);
  comparison.expect("energy.steps", events.steps);
  expect("total_pj", found.total(), energy::decimals_of_energy);
  expect("dynamic_pj", found.dynamic, energy::decimals_of_energy);
  expect("leakage_pj", found.leakage, energy::decimals_of_energy);
  expect_all("dynamic", energy::event_names, found.use.dynamic, energy::decimals_of_energy);
  expect_all("leakage", energy::silicon_names, found.leaked, energy::decimals_of_energy);
  expect_all("counts", energy::event_names, found.use.counts, 0);
  if (energy_.declaration.storage != StorageModel::virtual_channels)
    for (const char* requests : {"energy.counts.vc_requests", "energy.counts.switch_requests"})
      comparison.expect(requests, std::int64_t{0});
  comparison.expect_number("energy.per_packet_pj", found.per_packet_pj);
  comparison.expect_number("energy.per_flit_pj", found.per_flit_pj);
  comparison.expect_number("energy.per_bit_pj", found.per_bit_pj);
  comparison.expect_number("energy.power_mw", found.power_mw);
  comparison.expect_number("energy.edp_pj_ns", found.edp_pj_ns);
  expect_all("area_um2", energy::silicon_names, found.use.area, energy::decimals_of_area);
  expect("area_um2.total", found.use.all_area(), energy::decimals_of_area);
  compare_file(comparison, "energy.csv",
               energy_csv(graph_, energy_.hardware, events, energy_.declaration.storage, energy_.clock_ns));
  if (energy_.window > 0) compare_file(comparison, "energy_windows.csv", windows_.csv());
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

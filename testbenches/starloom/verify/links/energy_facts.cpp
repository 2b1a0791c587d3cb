// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/energy_facts.hpp>

#include <optional>
#include <string>

#include <starloom/core/most_steps.hpp>
#include <starloom/energy/report.hpp>
#include <starloom/energy/table_file.hpp>
#include <starloom/support/names.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/trace_io/csv_reader.hpp>

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

bool counts_toggles(const ResultDocument& result) {
  const std::string path = section + ".data", data = result.given(path) ? result.text(path) : "average";
  if (data != "average" && data != "toggles") result.fail(path, "is neither average nor toggles");
  return data == "toggles";
}

energy::Conditions read_conditions(const ResultDocument& result, const energy::Table& table) {
  energy::Conditions conditions;
  conditions.activity = result.number(section + ".activity");
  conditions.counts_toggles = counts_toggles(result);
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

double read_clock(const ResultDocument& result) {
  const std::string path = "experiment.units.clock_ns";
  const double clock_ns = result.number(path);
  if (clock_ns < shortest_clock_ns || clock_ns > longest_clock_ns) result.fail(path, "is out of range");
  return clock_ns;
}

energy::Table read_table(const std::filesystem::path& folder, const ResultDocument& result) {
  const std::string name = result.text(section + ".table");
  const bool built_in = contains(energy::built_in_tables(), name);
  return energy::read_table(folder, built_in ? name : energy::copy_of_table, section + ".table");
}

energy::Hardware read_hardware(const ResultDocument& result, const NetworkGraph& graph, const EnergyFacts& facts) {
  energy::Costs costs(facts.table, read_conditions(result, facts.table));
  energy::Hardware hardware = energy::hardware_of(graph, facts.declaration, read_sizes(result), costs);
  if (!costs.failures().empty()) result.fail(section + ".table", "is wrong: " + costs.failures().begin()->text);
  for (const auto& [name, text] : hardware.unknown_links) result.fail(section + ".link_mm", "is wrong: " + text);
  return hardware;
}

bool read_gating(const ResultDocument& result) {
  const std::string path = section + ".gating", gating = result.text(path);
  if (gating != "none" && gating != "idle") result.fail(path, "is neither none nor idle");
  return gating == "idle";
}

/// The column `toggles` of energy.csv, whose rows of links are in the order of the network.
std::vector<std::int64_t> read_toggles(const std::filesystem::path& folder, const NetworkGraph& graph) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const std::filesystem::path file = folder / "energy.csv";
  const std::string header = energy::energy_csv_header(true);
  CsvReader csv(file, header);
  std::vector<std::size_t> links;
  for (const NodeId node : nodes_in_files(graph))
    for (const Port port : graph.out_ports(node)) links.push_back(graph.index(node, port));
  std::vector<std::int64_t> toggles(graph.link_slots(), 0);
  std::size_t next = 0;
  while (csv.next_line()) {
    const bool is_link = csv.cell() == "link";
    for (std::size_t i = 0; i < 3 + energy::event_count; ++i) csv.cell();
    const std::int64_t count = csv.number_or_empty(most);
    if (is_link != (count >= 0)) csv.fail(is_link ? "a link has toggles" : "only a link has toggles");
    if (is_link && next == links.size()) csv.fail("this is one link more than the network has");
    if (is_link) toggles[links[next++]] = count;
    for (int i = 0; i < 4; ++i) csv.cell();
  }
  return toggles;
}

}  // namespace

EnergyFacts read_energy_facts(const std::filesystem::path& folder, const ResultDocument& result,
                              const NetworkGraph& graph, const RefereeRules& rules) {
  EnergyFacts facts;
  facts.declaration = declaration_of(rules);
  facts.table = read_table(folder, result);
  facts.hardware = read_hardware(result, graph, facts);
  facts.bits = result.small(path_to_bits, 1, energy::most_bits);
  facts.clock_ns = read_clock(result);
  facts.window = result.integer(section + ".window", 0, most_steps);
  facts.gates_idle = read_gating(result);
  if (counts_toggles(result)) facts.toggles = read_toggles(folder, graph);
  return facts;
}

}  // namespace starloom::links

#include "planners/star_optics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace starloom {
namespace {

std::int64_t ceil_log2(std::int64_t number) {
  std::int64_t log = 0;
  while ((std::int64_t{1} << log) < number) ++log;
  return log;
}

/// Cycles of `randomized`. Where x packets a group and coupler take part, a copy is alone in slot 1 with probability
/// exp(-x), and then in slot 2 with exp(-x exp(-x)). If m packets are expected to be left, some are with probability
/// 1 - exp(-m); the mean is the sum of these over the cycles.
double expected_cycles(const Pops& pops, double C) {
  const std::int32_t d = pops.group_size(), g = pops.groups(), width = std::min(d, g), blocks = g / width;
  // Packets left in a group for each block ahead; one block takes its turn in a cycle.
  std::vector<double> left(static_cast<std::size_t>(blocks), static_cast<double>(d) / blocks);
  double total = d, mean = 0;
  constexpr int most_cycles = 1 << 20;
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    const double unfinished = -std::expm1(-total * g);
    mean += unfinished;
    if (unfinished < 1e-9) break;
    const double expected = d - cycle * g / C;
    const double part = d > g && expected > g ? g / expected : 1;
    double& in_turn = left[static_cast<std::size_t>(cycle % blocks)];
    const double x = in_turn * part / width;
    const double taken = in_turn * part * std::exp(-x - x * std::exp(-x));
    in_turn -= taken;
    total -= taken;
  }
  return mean;
}

}  // namespace

double coupler_loss_db(const OpticalParts& parts, std::int32_t group_size) {
  return 10 * std::log10(group_size) + parts.excess_db * static_cast<double>(ceil_log2(group_size)) +
         parts.connectors_db;
}

double power_margin_db(const OpticalParts& parts, std::int32_t group_size) {
  return parts.launch_dbm - coupler_loss_db(parts, group_size) - parts.sensitivity_dbm;
}

std::int32_t largest_group_size(const OpticalParts& parts) {
  // The loss never falls as d grows.
  std::int32_t legal = 0;
  std::int64_t illegal = (std::int64_t{1} << 30) + 1;
  while (illegal - legal > 1) {
    const auto middle = static_cast<std::int32_t>((legal + illegal) / 2);
    if (power_margin_db(parts, middle) >= parts.margin_db) legal = middle;
    else illegal = middle;
  }
  return legal;
}

StarParts parts_of(const Pops& pops) {
  const std::int64_t ends = std::int64_t{pops.nodes()} * pops.groups();
  return {pops.couplers(), ends, ends};
}

ExpectedSlots expected_slots(const Pops& pops, double C) {
  const std::int64_t d = pops.group_size(), g = pops.groups();
  ExpectedSlots slots;
  slots.offline = d == 1 ? 1 : 2 * ((d + g - 1) / g);
  const std::int64_t log = ceil_log2(pops.nodes());
  slots.comparator_sort = log * (log + 1) / 2 * slots.offline;
  if (g == 1) slots.randomized = static_cast<double>(d);
  else if (d % g == 0 || g % d == 0)
    slots.randomized = 5 * expected_cycles(pops, C) + static_cast<double>(d > g ? d / g - 1 : 0);
  if (d % g == 0 && g == std::int64_t{1} << ceil_log2(g)) {
    const double r = static_cast<double>(d / g), k = static_cast<double>(ceil_log2(g));
    slots.published = r * (4 * k * k + 2 * k + 21) + 3 * k + 7;
  }
  return slots;
}

std::vector<Pops> legal_networks(const OpticalParts& parts, std::int64_t nodes) {
  std::vector<Pops> networks;
  const std::int64_t largest = largest_group_size(parts);
  for (std::int64_t d = 1; d <= std::min(nodes, largest); ++d)
    if (nodes % d == 0) networks.emplace_back(d, nodes / d);
  return networks;
}

double cycle_time_ns(const SlotTimes& times) { return 3 * times.data_ns + 2 * times.ack_ns + 5 * times.guard_ns; }

double energy_per_packet(std::int64_t data_drives, double data_energy, std::int64_t ack_drives, double ack_energy,
                         std::int64_t delivered) {
  if (delivered < 1) throw std::invalid_argument("the energy of a delivered packet needs one");
  return (static_cast<double>(data_drives) * data_energy + static_cast<double>(ack_drives) * ack_energy) /
         static_cast<double>(delivered);
}

}  // namespace starloom

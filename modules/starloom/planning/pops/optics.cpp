// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/optics.hpp>

#include <algorithm>
#include <cmath>

#include <starloom/planning/pops/mean_field.hpp>

namespace starloom::pops {
namespace {

std::int64_t ceil_log2(std::int64_t number) {
  std::int64_t log = 0;
  while ((std::int64_t{1} << log) < number) ++log;
  return log;
}

}  // namespace

double excess_loss_db(const OpticalParts& parts, std::int32_t group_size) {
  return parts.excess_db * static_cast<double>(ceil_log2(group_size));
}

double path_loss_db(const OpticalParts& parts, std::int32_t group_size) {
  double loss_db = 10 * std::log10(group_size) + excess_loss_db(parts, group_size) + parts.connectors_db;
  for (const PathLoss& loss : parts.losses) loss_db += loss.count * loss.db;
  return loss_db;
}

double launch_power_dbm(const OpticalParts& parts, std::int32_t group_size) {
  if (!parts.least_launch) return parts.launch_dbm;
  return parts.sensitivity_dbm + path_loss_db(parts, group_size) + parts.margin_db;
}

double power_margin_db(const OpticalParts& parts, std::int32_t group_size) {
  if (parts.least_launch) return parts.margin_db;
  return parts.launch_dbm - path_loss_db(parts, group_size) - parts.sensitivity_dbm;
}

bool is_legal(const OpticalParts& parts, std::int32_t group_size) {
  return power_margin_db(parts, group_size) >= parts.margin_db &&
         launch_power_dbm(parts, group_size) <= most_launch_dbm;
}

std::int32_t largest_group_size(const OpticalParts& parts) {
  // The loss never decreases as d grows.
  std::int32_t legal = 0;
  std::int64_t illegal = (std::int64_t{1} << 30) + 1;
  while (illegal - legal > 1) {
    const auto middle = static_cast<std::int32_t>((legal + illegal) / 2);
    if (is_legal(parts, middle)) legal = middle;
    else illegal = middle;
  }
  return legal;
}

Parts parts_of(const Pops& pops) {
  const std::int64_t ends = std::int64_t{pops.nodes()} * pops.groups();
  return {pops.couplers(), ends, ends};
}

Cost offline_cost(const Pops& pops) {
  const std::int64_t d = pops.group_size(), g = pops.groups();
  if (d == 1) return {1, 0, 1, 0};
  const std::int64_t rounds = (d + g - 1) / g;
  return {2 * static_cast<double>(rounds), 0, 2, 0};
}

Cost comparator_sort_cost(const Pops& pops) {
  // Each stage is a permutation by plan.
  const std::int64_t log = ceil_log2(pops.nodes());
  const std::int64_t all_stages = log * (log + 1) / 2;
  const auto stages = static_cast<double>(all_stages);
  const Cost stage = offline_cost(pops);
  return {stages * stage.data_slots, 0, stages * stage.data_drives, 0};
}

std::optional<Cost> randomized_cost(const Pops& pops, double C) {
  const std::int32_t d = pops.group_size(), g = pops.groups();
  if (g == 1) return Cost{static_cast<double>(d), 0, 1, 0};  // round robin
  if (d % g != 0 && g % d != 0) return std::nullopt;
  const auto field = d > g ? classes_mean_field(pops, C) : blocks_mean_field(pops);
  if (!field) return std::nullopt;
  const double drain = d > g ? d / g - 1 : 0;
  // Each packet is acknowledged twice and delivered once.
  return Cost{3 * field->cycles + drain, 2 * field->cycles, field->drives + 1, 2};
}

std::optional<Cost> direct_cost(const Pops& pops) {
  const auto field = couplers_mean_field(pops);
  if (!field) return std::nullopt;
  return Cost{field->cycles, field->cycles, field->drives, 1};
}

std::optional<double> published_slots(const Pops& pops) {
  const std::int64_t d = pops.group_size(), g = pops.groups();
  if (d % g != 0 || g != std::int64_t{1} << ceil_log2(g)) return std::nullopt;
  const std::int64_t ratio = d / g;
  const auto r = static_cast<double>(ratio), k = static_cast<double>(ceil_log2(g));
  return r * (4 * k * k + 2 * k + 21) + 3 * k + 7;
}

std::vector<Pops> legal_networks(const OpticalParts& parts, std::int64_t nodes) {
  std::vector<Pops> networks;
  const std::int64_t largest = largest_group_size(parts);
  for (std::int64_t d = 1; d <= std::min(nodes, largest); ++d)
    if (nodes % d == 0) networks.emplace_back(d, nodes / d);
  return networks;
}

double data_slot_ns(const OpticalParts& parts) { return parts.guard_ns + 8 * parts.data_bytes / parts.bit_rate_gbps; }

double ack_slot_ns(const OpticalParts& parts) { return parts.guard_ns + 8 * parts.ack_bytes / parts.bit_rate_gbps; }

double time_ns(const OpticalParts& parts, const Cost& cost) {
  return cost.data_slots * data_slot_ns(parts) + cost.ack_slots * ack_slot_ns(parts);
}

double energy_pj(const OpticalParts& parts, double data_drives, double ack_drives) {
  return parts.transmitter_mw * (data_drives * data_slot_ns(parts) + ack_drives * ack_slot_ns(parts));
}

}  // namespace starloom::pops

// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/pops/optics_text.hpp>

#include <fmt/format.h>

namespace starloom::pops {
namespace {

std::string budget_text(const OpticalParts& parts, const Pops& pops) {
  const double margin = power_margin_db(parts, pops.group_size());
  const std::int32_t largest = largest_group_size(parts);
  return fmt::format(
      "  optics        loss {:.1f} dB, margin {:.1f} dB, {}: {:g} required; {}\n",
      coupler_loss_db(parts, pops.group_size()), margin, margin >= parts.margin_db ? "enough" : "too little",
      parts.margin_db,
      largest > 0 ? fmt::format("groups of up to {} are possible", largest) : "no group size is possible");
}

std::string cost_text(const std::string& algorithm, const OpticalParts& parts, const Cost& cost) {
  return fmt::format("    {:<16} {:>10.1f} {:>14.3f} {:>14.1f}\n", algorithm, cost.slots(), time_ns(parts, cost) / 1e3,
                     energy_pj(parts, cost.data_drives, cost.ack_drives) / 1e3);
}

std::string network_text(const OpticalParts& parts, const Pops& pops) {
  const Parts count = parts_of(pops);
  const auto randomized = randomized_cost(pops), direct = direct_cost(pops);
  const auto published = published_slots(pops);
  return fmt::format(
      "    {:>7} {:>7} {:>7.1f} {:>10} {:>12} {:>8.0f} {:>8.0f} {:>10} {:>8} {:>9}\n", pops.group_size(), pops.groups(),
      power_margin_db(parts, pops.group_size()), count.couplers, count.transmitters, offline_cost(pops).slots(),
      comparator_sort_cost(pops).slots(), randomized ? fmt::format("{:.1f}", randomized->slots()) : "-",
      direct ? fmt::format("{:.1f}", direct->slots()) : "-", published ? fmt::format("{:.0f}", *published) : "-");
}

}  // namespace

std::string optics_text(const OpticalParts& parts, const Pops& pops) {
  std::string text = budget_text(parts, pops);
  text += fmt::format("  slots         data {:.1f} ns, acknowledgement {:.1f} ns; a cycle of five slots {:.1f} ns\n",
                      data_slot_ns(parts), ack_slot_ns(parts), time_ns(parts, {3, 2, 0, 0}));
  text += fmt::format("    {:<16} {:>10} {:>14} {:>14}\n", "a permutation", "slots", "microseconds", "nJ per packet");
  text += cost_text("offline", parts, offline_cost(pops));
  text += cost_text("comparator-sort", parts, comparator_sort_cost(pops));
  if (const auto cost = randomized_cost(pops)) text += cost_text("randomized", parts, *cost);
  if (const auto cost = direct_cost(pops)) text += cost_text("direct", parts, *cost);
  text += fmt::format("  networks of {} processors with these parts, and slots of a permutation\n", pops.nodes());
  text += fmt::format("    {:>7} {:>7} {:>7} {:>10} {:>12} {:>8} {:>8} {:>10} {:>8} {:>9}\n", "d", "g", "margin",
                      "couplers", "transmitters", "offline", "sort", "randomized", "direct", "formula B");
  std::size_t too_large = 0;
  for (const Pops& network : legal_networks(parts, pops.nodes())) {
    if (network.couplers() > Pops::most_couplers) ++too_large;
    else text += network_text(parts, network);
  }
  if (too_large > 0) text += fmt::format("    {} others have too many couplers for this program\n", too_large);
  return text;
}

}  // namespace starloom::pops

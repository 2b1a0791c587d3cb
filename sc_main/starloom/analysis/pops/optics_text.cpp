// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/pops/optics_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include <starloom/planning/pops/optical_energy.hpp>

namespace starloom::pops {
namespace {

std::string budget_text(const OpticalParts& parts, const Pops& pops) {
  const double loss = path_loss_db(parts, pops.group_size()), margin = power_margin_db(parts, pops.group_size());
  if (parts.least_launch)
    return fmt::format("  optics        loss {:.1f} dB; a launch power of {:.1f} dBm leaves the required {:g} dB\n",
                       loss, launch_power_dbm(parts, pops.group_size()), parts.margin_db);
  const std::int32_t largest = largest_group_size(parts);
  return fmt::format(
      "  optics        loss {:.1f} dB, margin {:.1f} dB, {}: {:g} required; {}\n", loss, margin,
      margin >= parts.margin_db ? "enough" : "too little", parts.margin_db,
      largest > 0 ? fmt::format("groups of up to {} are possible", largest) : "no group size is possible");
}

/// The losses of a path, one by one.
std::string losses_text(const OpticalParts& parts, std::int32_t group_size) {
  std::string text =
      fmt::format("  losses        splitting {:.1f} dB, stages of couplers {:.1f} dB, connectors {:g} dB",
                  10 * std::log10(group_size), excess_loss_db(parts, group_size), parts.connectors_db);
  for (const PathLoss& loss : parts.losses)
    text += loss.count == 1 ? fmt::format(", {} {:g} dB", loss.name, loss.db)
                            : fmt::format(", {} {:g} x {:g} dB", loss.name, loss.count, loss.db);
  return text + "\n";
}

/// The powers of transmitters and receivers.
std::string powers_text(const OpticalParts& parts, const Transceivers& transceivers, const Pops& pops) {
  const Parts count = parts_of(pops);
  const auto watts = [](double mw, std::int64_t number) { return mw * static_cast<double>(number) / 1e3; };
  const double laser = laser_mw(parts, transceivers, pops.group_size());
  std::string text = fmt::format("  launch        {:.1f} dBm; a laser takes {:.4g} mW, ",
                                 launch_power_dbm(parts, pops.group_size()), laser);
  text += transceivers.lasers_always_on
              ? fmt::format("all of them {:.4g} W, always\n", watts(laser, count.transmitters))
              : "while it drives a coupler\n";
  text += fmt::format("  receivers     one takes {:g} mW, ", transceivers.receiver_mw);
  text += transceivers.receivers_always_on
              ? fmt::format("all of them {:.4g} W, always\n", watts(transceivers.receiver_mw, count.receivers))
              : "while it listens\n";
  if (transceivers.tuning_mw > 0)
    text += fmt::format("  tuning        {:.4g} W, always\n",
                        watts(transceivers.tuning_mw, count.transmitters + count.receivers));
  return text;
}

/// Energy per packet of a permutation, in pJ. With transceivers each message that is driven is taken to be heard once,
/// which holds for plans; the number of receivers that listen is known for plans only.
std::optional<double> energy_pj_per_packet(const OpticalParts& parts, const Pops& pops, const Cost& cost, bool plan) {
  if (!parts.transceivers) return energy_pj(parts, cost.data_drives, cost.ack_drives);
  if (!plan && !parts.transceivers->receivers_always_on) return std::nullopt;
  const auto packets = static_cast<double>(pops.nodes());
  const SlotTally messages = {packets * cost.data_drives, packets * cost.ack_drives};
  const OpticalUse use = {{cost.data_slots, cost.ack_slots}, messages, messages, messages};
  return energy_of(parts, *parts.transceivers, pops, use).total_pj() / packets;
}

std::string cost_text(const std::string& algorithm, const OpticalParts& parts, const Pops& pops, const Cost& cost,
                      bool plan) {
  const auto energy = energy_pj_per_packet(parts, pops, cost, plan);
  return fmt::format("    {:<16} {:>10.1f} {:>14.3f} {:>14}\n", algorithm, cost.slots(), time_ns(parts, cost) / 1e3,
                     energy ? fmt::format("{:.1f}", *energy / 1e3) : "-");
}

std::string network_text(const OpticalParts& parts, const Pops& pops) {
  const Parts count = parts_of(pops);
  const auto randomized = randomized_cost(pops), direct = direct_cost(pops);
  const auto published = published_slots(pops);
  return fmt::format(
      "    {:>7} {:>7} {:>7.1f} {:>10} {:>12} {:>8.0f} {:>8.0f} {:>10} {:>8} {:>9}\n", pops.group_size(), pops.groups(),
      parts.least_launch ? launch_power_dbm(parts, pops.group_size()) : power_margin_db(parts, pops.group_size()),
      count.couplers, count.transmitters, offline_cost(pops).slots(), comparator_sort_cost(pops).slots(),
      randomized ? fmt::format("{:.1f}", randomized->slots()) : "-",
      direct ? fmt::format("{:.1f}", direct->slots()) : "-", published ? fmt::format("{:.0f}", *published) : "-");
}

}  // namespace

std::string optics_text(const OpticalParts& parts, const Pops& pops) {
  std::string text = budget_text(parts, pops);
  if (!parts.losses.empty()) text += losses_text(parts, pops.group_size());
  if (parts.transceivers) text += powers_text(parts, *parts.transceivers, pops);
  text += fmt::format("  slots         data {:.1f} ns, acknowledgement {:.1f} ns; a cycle of five slots {:.1f} ns\n",
                      data_slot_ns(parts), ack_slot_ns(parts), time_ns(parts, {3, 2, 0, 0}));
  text += fmt::format("    {:<16} {:>10} {:>14} {:>14}\n", "a permutation", "slots", "microseconds", "nJ per packet");
  text += cost_text("offline", parts, pops, offline_cost(pops), true);
  text += cost_text("comparator-sort", parts, pops, comparator_sort_cost(pops), true);
  if (const auto cost = randomized_cost(pops)) text += cost_text("randomized", parts, pops, *cost, false);
  if (const auto cost = direct_cost(pops)) text += cost_text("direct", parts, pops, *cost, false);
  text += fmt::format("  networks of {} processors with these parts, and slots of a permutation\n", pops.nodes());
  text += fmt::format("    {:>7} {:>7} {:>7} {:>10} {:>12} {:>8} {:>8} {:>10} {:>8} {:>9}\n", "d", "g",
                      parts.least_launch ? "launch" : "margin", "couplers", "transmitters", "offline", "sort",
                      "randomized", "direct", "formula B");
  std::size_t too_large = 0;
  for (const Pops& network : legal_networks(parts, pops.nodes())) {
    if (network.couplers() > Pops::most_couplers) ++too_large;
    else text += network_text(parts, network);
  }
  if (too_large > 0) text += fmt::format("    {} others have too many couplers for this program\n", too_large);
  return text;
}

}  // namespace starloom::pops

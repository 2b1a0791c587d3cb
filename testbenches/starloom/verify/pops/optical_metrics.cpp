// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/pops/optical_metrics.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace starloom::pops {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

/// A value of `experiment.optics`.
double part(const ResultDocument& result, const std::string& name) {
  return result.number("experiment.optics." + name);
}

/// True if a key of `experiment.optics` is the second of two words, false if it is the first. \throws InputError
bool is_second(const ResultDocument& result, const char* key, const std::string_view (&words)[2], const char* either) {
  return result.choice(std::string("experiment.optics.") + key, words, either) == 1;
}

constexpr std::string_view launches[] = {"auto"};
constexpr std::string_view kinds[] = {"whole", "parts"};
constexpr std::string_view lasers[] = {"gated", "always"};
constexpr std::string_view receivers_on[] = {"all", "listening"};

double loss_db(const ResultDocument& result, const Pops& pops) {
  int stages = 0;
  while ((std::int64_t{1} << stages) < pops.group_size()) ++stages;
  double loss = 10 * std::log10(pops.group_size()) + part(result, "excess_db") * stages + part(result, "connectors_db");
  if (!result.given("experiment.optics.losses")) return loss;
  const std::size_t losses = result.at("experiment.optics.losses").size();
  for (std::size_t i = 0; i < losses; ++i) {
    const std::string entry = "losses." + std::to_string(i);
    loss += part(result, entry + ".db") * part(result, entry + ".count");
  }
  return loss;
}

/// The energy of transmitters and receivers made of parts.
double compare_parts(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& data,
                     const CouplerUse& acks, double launch_dbm, double data_ns, double ack_ns) {
  comparison.expect_rounded("optics.launch_dbm", launch_dbm);
  const double data_bits = 8 * result.number("experiment.units.flit_bytes"), ack_bits = 8 * part(result, "ack_bytes");
  const double ends = number(pops.nodes()) * number(pops.groups());  // transmitters, and as many receivers
  const double always = ends * (number(data.slots) * data_ns + number(acks.slots) * ack_ns);
  const double driving = number(data.drives) * data_ns + number(acks.drives) * ack_ns;
  const double listening = number(data.listens) * data_ns + number(acks.listens) * ack_ns;
  const double laser = std::pow(10, launch_dbm / 10) / part(result, "laser_efficiency") *
                       (is_second(result, "laser", lasers, "gated or always") ? always : driving);
  const double modulators =
      part(result, "modulator_pj_per_bit") * (number(data.drives) * data_bits + number(acks.drives) * ack_bits);
  const double receivers =
      part(result, "receiver_pj_per_bit") * (number(data.heard) * data_bits + number(acks.heard) * ack_bits);
  const double receivers_static =
      part(result, "receiver_mw") *
      (is_second(result, "receivers", receivers_on, "all or listening") ? listening : always);
  const double tuning = part(result, "tuning_mw") * 2 * always;
  const double total = laser + modulators + receivers + receivers_static + tuning;
  comparison.expect_rounded("optics.parts.laser_pj", laser);
  comparison.expect_rounded("optics.parts.modulators_pj", modulators);
  comparison.expect_rounded("optics.parts.receivers_pj", receivers);
  comparison.expect_rounded("optics.parts.receivers_static_pj", receivers_static);
  comparison.expect_rounded("optics.parts.tuning_pj", tuning);
  comparison.expect_rounded("optics.parts.total_pj", total);
  return total;
}

}  // namespace

void compare_optics(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& data,
                    const CouplerUse& acks, std::int64_t delivered_packets) {
  const double loss = loss_db(result, pops), sensitivity = part(result, "sensitivity_dbm");
  const bool least = result.at("experiment.optics.launch_dbm").is_string();
  if (least) result.choice("experiment.optics.launch_dbm", launches, "auto");
  const double launch_dbm = least ? loss + sensitivity + part(result, "margin_db") : part(result, "launch_dbm");
  comparison.expect_rounded("optics.margin_db", least ? part(result, "margin_db") : launch_dbm - loss - sensitivity);

  const auto slot_ns = [&](double bytes) {
    return part(result, "guard_ns") + 8 * bytes / part(result, "bit_rate_gbps");
  };
  const double data_ns = slot_ns(result.number("experiment.units.flit_bytes"));
  const double ack_ns = slot_ns(part(result, "ack_bytes"));
  comparison.expect_rounded("optics.time_ns", number(data.slots) * data_ns + number(acks.slots) * ack_ns);
  const double energy_pj =
      result.given("experiment.optics.transmitter") && is_second(result, "transmitter", kinds, "whole or parts")
          ? compare_parts(comparison, result, pops, data, acks, launch_dbm, data_ns, ack_ns)
          : part(result, "transmitter_mw") * (number(data.drives) * data_ns + number(acks.drives) * ack_ns);
  comparison.expect_rounded("optics.energy_pj_per_packet", delivered_packets > 0
                                                               ? std::optional(energy_pj / number(delivered_packets))
                                                               : std::nullopt);
}

}  // namespace starloom::pops

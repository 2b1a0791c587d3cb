// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/optics_section.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <starloom/config/key_reader.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* losses_path = "optics.losses";
constexpr const char* loss_example = "{name: splitter, db: 1, count: 2}";
constexpr const char* losses_example = "[{name: splitter, db: 1, count: 2}, {name: detector, db: 1}]";

/// Keys that need transmitters of parts.
constexpr std::array<std::string_view, 8> keys_of_parts = {"laser_efficiency",    "laser",       "modulator_pj_per_bit",
                                                           "receiver_pj_per_bit", "receiver_mw", "receivers",
                                                           "tuning_mw",           "losses"};

const std::vector<KeySpec>& loss_keys() {
  static const std::vector<KeySpec> keys = {
      text_key("name", "the part with the loss").is_required(),
      number_key("db", "the loss of one").is_required().within(0, 1000).measured_in("dB"),
      number_key("count", "how many of them a path has, or its length if the loss is per length")
          .by_default(pops::PathLoss().count)
          .within(0, 1e6)};
  return keys;
}

std::vector<pops::PathLoss> read_losses(const DocumentValue& list, Diagnostics& diagnostics) {
  std::vector<pops::PathLoss> losses;
  if (list.kind != Kind::list)
    diagnostics.add(list.location, fmt::format("{}: a list of losses such as {} is expected, not {}", losses_path,
                                               losses_example, list.described()));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const DocumentValue& item = list.items[i];
    const std::string entry = key_path(losses_path, std::to_string(i));
    if (item.kind != Kind::map) {
      diagnostics.add(item.location,
                      fmt::format("{}: a loss such as {} is expected, not {}", entry, loss_example, item.described()));
      continue;
    }
    check_key_names(item, names_of(loss_keys()), entry, diagnostics);
    const KeyValues values = read_keys(item, loss_keys(), entry, diagnostics);
    if (values.has("name") && values.has("db"))
      losses.push_back({values.text("name"), values.number("db"), values.number("count")});
  }
  return losses;
}

/// False if the key has a value that is not legal.
bool kind_is_known(const DocumentValue& section) {
  const DocumentValue* const kind = section.find("transmitter");
  return kind == nullptr || kind->scalar == "whole" || kind->scalar == "parts";
}

/// Adds an error for each key that describes transmitters of the other kind.
void check_kind(const DocumentValue& section, bool whole, Diagnostics& diagnostics) {
  for (const DocumentEntry& entry : section.entries) {
    const bool of_parts = std::count(keys_of_parts.begin(), keys_of_parts.end(), entry.key) > 0;
    const bool is_auto = entry.key == "launch_dbm" && entry.value.scalar == "auto";
    if (whole && (of_parts || is_auto))
      diagnostics.add(entry.value.location, fmt::format("optics.{}: {}; add transmitter: parts, or {}", entry.key,
                                                        is_auto ? "a whole transmitter has a given launch power"
                                                                : "a whole transmitter has no parts",
                                                        is_auto ? "give the launch power" : "leave the key out"));
    if (!whole && entry.key == "transmitter_mw")
      diagnostics.add(entry.value.location,
                      "optics.transmitter_mw: the power of a transmitter follows from its parts; leave the key out, or "
                      "use transmitter: whole");
  }
}

}  // namespace

std::vector<KeySpec> optics_keys() {
  const pops::OpticalParts parts;
  const pops::Transceivers transceivers;
  const auto number = [](const char* name, double value, const char* unit, const char* meaning, double min,
                         double max) {
    return number_key(name, meaning).by_default(value).within(min, max).measured_in(unit);
  };
  return {
      number("launch_dbm", parts.launch_dbm, "dBm",
             "power from a transmitter into its coupler; auto: the least that leaves the power margin", -100,
             pops::most_launch_dbm)
          .or_word("auto"),
      number("sensitivity_dbm", parts.sensitivity_dbm, "dBm", "sensitivity: least power that a receiver needs", -100,
             100),
      number("margin_db", parts.margin_db, "dB", "power margin for splices, ageing and temperature", 0, 100),
      number("excess_db", parts.excess_db, "dB", "excess loss of a stage of 2 x 2 couplers, besides the splitting", 0,
             100),
      number("connectors_db", parts.connectors_db, "dB", "total loss of the connectors of a path", 0, 100),
      number("bit_rate_gbps", parts.bit_rate_gbps, "Gbit/s", "bit rate", 0.001, 1e6),
      number("ack_bytes", parts.ack_bytes, "bytes",
             "length of an acknowledgement (the length of a packet is units.flit_bytes)", 0, 1e6),
      number("guard_ns", parts.guard_ns, "ns",
             "guard time before each message, until receivers have locked on to the new sender", 0, 1e9),
      number("transmitter_mw", parts.transmitter_mw, "mW", "whole: electrical power of an active transmitter", 0, 1e6),
      choice_key("transmitter", {"whole", "parts"},
                 "whole: the energy of transmitters by their power; parts: that of lasers, modulators, receivers and "
                 "tuning")
          .by_default("whole"),
      number("laser_efficiency", transceivers.laser_efficiency, "", "parts: optical by electrical power of a laser",
             0.001, 1),
      choice_key(
          "laser", {"gated", "always"},
          "parts: gated: a laser is on in the slots in which it drives a coupler; always: all lasers in all slots")
          .by_default("gated"),
      number("modulator_pj_per_bit", transceivers.modulator_pj_per_bit, "pJ", "parts: energy of a bit that is driven",
             0, 1e6),
      number("receiver_pj_per_bit", transceivers.receiver_pj_per_bit, "pJ", "parts: energy of a bit that is heard", 0,
             1e6),
      number("receiver_mw", transceivers.receiver_mw, "mW", "parts: power of a receiver that is on", 0, 1e6),
      choice_key("receivers", {"all", "listening"},
                 "parts: all: receivers are on in all slots; listening: in the slots in which they listen")
          .by_default("all"),
      number("tuning_mw", transceivers.tuning_mw, "mW",
             "parts: power that keeps a transmitter or receiver at its wavelength, of each one in all slots", 0, 1e6),
      text_key("losses", "parts: other losses of a path, a list of {name, db, count}")};
}

pops::OpticalParts read_optics(const DocumentValue& section, Diagnostics& diagnostics) {
  pops::OpticalParts parts;
  DocumentValue plain = section;
  // A table of keys cannot describe a list of maps.
  for (DocumentEntry& entry : plain.entries) {
    if (entry.key != "losses") continue;
    parts.losses = read_losses(entry.value, diagnostics);
    entry.value = word_value("-");
  }
  const std::vector<KeySpec> keys = optics_keys();
  check_key_names(plain, names_of(keys), "optics", diagnostics);
  const KeyValues values = read_keys(plain, keys, "optics", diagnostics);
  const bool whole = values.text("transmitter") == "whole";
  if (kind_is_known(section)) check_kind(section, whole, diagnostics);
  parts.least_launch = values.is_word("launch_dbm");
  if (!parts.least_launch) parts.launch_dbm = values.number("launch_dbm");
  parts.sensitivity_dbm = values.number("sensitivity_dbm");
  parts.margin_db = values.number("margin_db");
  parts.excess_db = values.number("excess_db");
  parts.connectors_db = values.number("connectors_db");
  parts.bit_rate_gbps = values.number("bit_rate_gbps");
  parts.ack_bytes = values.number("ack_bytes");
  parts.guard_ns = values.number("guard_ns");
  parts.transmitter_mw = values.number("transmitter_mw");
  if (whole) return parts;
  pops::Transceivers& transceivers = parts.transceivers.emplace();
  transceivers.laser_efficiency = values.number("laser_efficiency");
  transceivers.lasers_always_on = values.text("laser") == "always";
  transceivers.modulator_pj_per_bit = values.number("modulator_pj_per_bit");
  transceivers.receiver_pj_per_bit = values.number("receiver_pj_per_bit");
  transceivers.receiver_mw = values.number("receiver_mw");
  transceivers.receivers_always_on = values.text("receivers") == "all";
  transceivers.tuning_mw = values.number("tuning_mw");
  return parts;
}

}  // namespace starloom

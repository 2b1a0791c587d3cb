// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/energy_section.hpp>

#include <fmt/format.h>

#include <starloom/config/key_reader.hpp>
#include <starloom/energy/table_file.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;
using Json = nlohmann::ordered_json;

constexpr double longest_link_mm = 1000;
constexpr const char* default_length = "default";

/// A length of `link_mm`.
double read_length(const DocumentValue& value, const std::string& key, Diagnostics& diagnostics) {
  const auto length = value.number();
  if (length && *length >= 0 && *length <= longest_link_mm) return *length;
  diagnostics.add(value.location, fmt::format("{}: a length from 0 to {:g} mm is expected, not {}", key,
                                              longest_link_mm, value.described()));
  return 1;
}

/// `link_mm` as a mapping, in its order.
void read_lengths(const DocumentValue& map, energy::Sizes& sizes, Diagnostics& diagnostics) {
  check_duplicates(map, "energy.link_mm", diagnostics);
  for (const DocumentEntry& entry : map.entries) {
    const double length = read_length(entry.value, "energy.link_mm." + entry.key, diagnostics);
    if (entry.key == default_length) sizes.other_link_mm = length;
    else sizes.link_mm.emplace_back(entry.key, length);
  }
}

/// The condition that a key sets, which has to be near that of the table; otherwise that of the table.
void read_condition(const KeyValues& values, const char* key, const std::optional<double>& of_table, double least,
                    double greatest, const char* unit, const SourceLocation& location, std::optional<double>& condition,
                    Diagnostics& diagnostics) {
  condition = of_table;
  if (!values.has(key)) return;
  const double value = values.number(key);
  if (!of_table)
    diagnostics.add(location, fmt::format("energy.{}: the table does not name its own (conditions.{}), so its numbers "
                                          "cannot be scaled; leave {} out, or add it to the table",
                                          key, key, key));
  else if (value < least || value > greatest)
    diagnostics.add(location, fmt::format("energy.{}: {:g} is out of range: {:g} to {:g} {} with this table", key,
                                          value, least, greatest, unit));
  else condition = value;
}

Json number_of(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}
Json number_or_null(const std::optional<double>& value) { return value ? number_of(*value) : Json(nullptr); }

}  // namespace

std::vector<KeySpec> energy_keys() {
  const energy::Sizes sizes;
  const energy::Conditions conditions;
  return {
      text_key("table", "the table of components: " + joined(energy::built_in_tables()) + ", or a file")
          .by_default("dsent-22"),
      integer_key("width_bits", "bits of a flit; default: 8 * units.flit_bytes")
          .within(1, energy::most_bits)
          .measured_in("bits"),
      number_key("link_mm",
                 "length of a link, whatever its latency; or a map of names of links, with * and ?, the first that "
                 "matches counts, and `default`")
          .by_default(sizes.other_link_mm)
          .within(0, longest_link_mm)
          .measured_in("mm"),
      number_key("terminal_mm", "virtual channels: length of a link from or to a terminal that no name matches")
          .by_default(sizes.terminal_mm)
          .within(0, longest_link_mm)
          .measured_in("mm"),
      number_key("activity", "share of the bits that toggle from flit to flit")
          .by_default(conditions.activity)
          .within(0, 1),
      choice_key("data", {"average", "toggles"},
                 "toggles: the bits that toggle on links are counted, those of transactions in the cycle-accurate view")
          .by_default("average"),
      integer_key("depth", "store-and-forward: places of a buffer, if the algorithm has no bound, or several")
          .by_default(std::int64_t{sizes.depth})
          .within(1, 4096)
          .measured_in("packets"),
      number_key("vdd", "supply voltage; default: that of the table").within(0, 1000).measured_in("V"),
      number_key("temperature_k", "temperature, for leakage; default: that of the table")
          .within(250, 400)
          .measured_in("K"),
      choice_key("gating", {"none", "idle"}, "idle: the clock of a router runs only in steps in which it has a flit")
          .by_default("none"),
      integer_key("window", "steps of each row of `energy_windows.csv`; 0: no such file")
          .by_default(std::int64_t{0})
          .within(0, 1'000'000'000)
          .measured_in("steps"),
      boolean_key("channel_allocator", "false: channel allocators cost nothing, as in DSENT")
          .by_default(conditions.channel_allocator)};
}

EnergyConfig read_energy(const DocumentValue& section, const std::filesystem::path& folder, Diagnostics& diagnostics) {
  EnergyConfig config;
  DocumentValue plain = section;
  // A table of keys cannot describe a map with keys of any name.
  for (DocumentEntry& entry : plain.entries) {
    if (entry.key != "link_mm" || entry.value.kind != Kind::map) continue;
    read_lengths(entry.value, config.sizes, diagnostics);
    entry.value = word_value("1");
  }
  const std::vector<KeySpec> keys = energy_keys();
  check_key_names(plain, names_of(keys), "energy", diagnostics);
  const KeyValues values = read_keys(plain, keys, "energy", diagnostics);
  const DocumentValue* const lengths = section.find("link_mm");
  if (lengths == nullptr || lengths->kind != Kind::map) config.sizes.other_link_mm = values.number("link_mm");
  config.bits_are_given = values.has("width_bits");
  if (config.bits_are_given) config.sizes.bits = static_cast<int>(values.integer("width_bits"));
  config.sizes.terminal_mm = values.number("terminal_mm");
  config.sizes.depth = static_cast<int>(values.integer("depth"));
  config.conditions.activity = values.number("activity");
  config.conditions.counts_toggles = values.text("data") == "toggles";
  config.gates_idle = values.text("gating") == "idle";
  config.window = values.integer("window");
  config.conditions.channel_allocator = values.boolean("channel_allocator");
  config.table_name = values.text("table");
  const auto location_of = [&section](const char* key) {
    const DocumentValue* const value = section.find(key);
    return value != nullptr ? value->location : section.location;
  };
  try {
    config.table = std::make_shared<const energy::Table>(energy::read_table(folder, config.table_name, "table"));
  } catch (const DataFileError& error) {
    diagnostics.add_placed(error.what());
  } catch (const InputError& error) {
    diagnostics.add(location_of("table"), fmt::format("energy.table: {}", error.what()));
  }
  if (config.table == nullptr) return config;
  const double vdd = config.table->vdd.value_or(0);
  read_condition(values, "vdd", config.table->vdd, 0.6 * vdd, 1.2 * vdd, "V", location_of("vdd"), config.conditions.vdd,
                 diagnostics);
  read_condition(values, "temperature_k", config.table->temperature_k, 250, 400, "K", location_of("temperature_k"),
                 config.conditions.temperature_k, diagnostics);
  return config;
}

nlohmann::ordered_json EnergyConfig::json(const std::string& table_sha256) const {
  Json json = {{"table", table_name}};
  if (!table_sha256.empty()) json["table_sha256"] = table_sha256;
  json["width_bits"] = sizes.bits;
  json["link_mm"] = number_of(sizes.other_link_mm);
  if (!sizes.link_mm.empty()) {
    json["link_mm"] = Json::object();
    for (const auto& [name, length] : sizes.link_mm) json["link_mm"][name] = number_of(length);
    json["link_mm"][default_length] = number_of(sizes.other_link_mm);
  }
  json["terminal_mm"] = number_of(sizes.terminal_mm);
  json["activity"] = number_of(conditions.activity);
  json["data"] = conditions.counts_toggles ? "toggles" : "average";
  json["depth"] = sizes.depth;
  json["vdd"] = number_or_null(conditions.vdd);
  json["temperature_k"] = number_or_null(conditions.temperature_k);
  json["gating"] = gates_idle ? "idle" : "none";
  json["window"] = window;
  json["channel_allocator"] = conditions.channel_allocator;
  return json;
}

}  // namespace starloom

#include <starloom/experiment/sections.hpp>

#include <stdexcept>

#include <starloom/config/names.hpp>
#include <starloom/controllers/pops/algorithm.hpp>
#include <starloom/planners/pops/optics.hpp>

namespace starloom {
namespace {

constexpr double most_steps = 1e18;  ///< leaves room for sums of steps

KeySpec key(std::string name, KeyType type, KeyValue default_value, std::string unit, std::string meaning) {
  KeySpec spec;
  spec.name = std::move(name);
  spec.type = type;
  spec.default_value = std::move(default_value);
  spec.unit = std::move(unit);
  spec.meaning = std::move(meaning);
  return spec;
}
KeySpec required(KeySpec spec) {
  spec.required = true;
  return spec;
}
KeySpec within(KeySpec spec, double min, double max) {
  spec.min = min;
  spec.max = max;
  return spec;
}
KeySpec among(KeySpec spec, std::vector<std::string> choices) {
  spec.choices = std::move(choices);
  return spec;
}

SectionSpec optics_section() {
  const auto part = [](const char* name, double value, const char* unit, const char* meaning, double min, double max) {
    return within(key(name, KeyType::number, value, unit, meaning), min, max);
  };
  const pops::OpticalParts parts;
  return {"optics",
          "pops: power, time and energy of the couplers, for `check` and result.json (docs/optics.md)",
          false,
          {part("launch_dbm", parts.launch_dbm, "dBm", "power of a transmitter into its coupler", -100, 100),
           part("sensitivity_dbm", parts.sensitivity_dbm, "dBm", "least power that a receiver needs", -100, 100),
           part("margin_db", parts.margin_db, "dB", "power to spare for splices, ageing and temperature", 0, 100),
           part("excess_db", parts.excess_db, "dB", "loss of a stage of 2 x 2 couplers beyond the splitting", 0, 100),
           part("connectors_db", parts.connectors_db, "dB", "loss of all connectors of a path together", 0, 100),
           part("bit_rate_gbps", parts.bit_rate_gbps, "Gbit/s", "bits of a message in a nanosecond", 0.001, 1e6),
           part("ack_bytes", parts.ack_bytes, "bytes", "of an acknowledgement; a packet has units.flit_bytes", 0, 1e6),
           part("guard_ns", parts.guard_ns, "ns", "before a message, until receivers follow the new sender", 0, 1e9),
           part("transmitter_mw", parts.transmitter_mw, "mW", "electrical power of a transmitter that is on", 0, 1e6)}};
}

std::vector<SectionSpec> make_sections() {
  using T = KeyType;
  const KeyValue null{};
  const KeyValue zero = std::int64_t{0}, one = std::int64_t{1};
  return {
      {"network",
       "the network: its topology and the sizes of that",
       true,
       {required(key("topology", T::text, null, "", "how nodes are connected"))}},
      {"routing",
       "the routing algorithm and its own keys (`starloom list`)",
       true,
       {required(key("algorithm", T::text, null, "", "name of the routing algorithm"))}},
      {"traffic",
       "which packets are created, and the pattern's own keys (`starloom list`)",
       true,
       {required(key("pattern", T::text, null, "", "name of the traffic pattern"))}},
      {"limits",
       "where a run ends that does not end by itself",
       false,
       {within(key("steps", T::integer, null, "steps", "the run ends after this many steps; null is no limit"), 1,
               most_steps),
        within(key("quiet", T::integer, std::int64_t{100'000}, "steps",
                   "steps without a delivery (livelock), or without movement (deadlock with active sources)"),
               1, most_steps)}},
      {"waves",
       "what a waveform file shows",
       false,
       {key("scope", T::text, std::string{"*"}, "", "instance names to show, with * and ?; one or a list"),
        within(key("from", T::integer, zero, "steps", "first step shown"), 0, most_steps),
        within(key("to", T::integer, null, "steps", "first step not shown any more; null is the end"), 0, most_steps),
        among(key("format", T::choice, std::string{"vcd"}, "", "file format"), {"vcd", "fst"})}},
      {"units",
       "physical units, for figures in seconds and bytes",
       false,
       {within(key("clock_ns", T::number, one, "ns", "length of a step"), 0.001, 1e9),
        within(key("flit_bytes", T::integer, std::int64_t{16}, "bytes", "bytes of a flit"), 1, 1 << 20)}},
      optics_section(),
      {"faults",
       "hardware out of service",
       false,
       {within(key("dead_couplers", T::number, null, "",
                   "pops: the rate at which couplers are dead; or a list of pairs of groups whose couplers are"),
               0, 1)}},
      {"expect", "what result.json must say: path and value, or path and equals, min, max, within", false, {}},
  };
}

std::vector<AlgorithmEntry> join_algorithms() {
  std::vector<AlgorithmEntry> all = links::algorithm_table();
  all.insert(all.end(), pops::algorithm_table().begin(), pops::algorithm_table().end());
  return all;
}

}  // namespace

const std::vector<TopologyEntry>& all_topologies() {
  static const std::vector<TopologyEntry> all = topology_table();
  return all;
}

const std::vector<AlgorithmEntry>& all_algorithms() {
  static const std::vector<AlgorithmEntry> all = join_algorithms();
  return all;
}

const std::vector<KeySpec>& plain_keys() {
  static const std::vector<KeySpec> keys = {
      required(within(key("schema", KeyType::integer, {}, "", "version of this file format"), 1, 1)),
      among(key("model", KeyType::choice, std::string{"netlist"}, "",
                "level of the model: clocked hardware, or transactions where such a model exists"),
            {"netlist", "message"}),
      within(key("seed", KeyType::integer, std::int64_t{1}, "", "the one source of all random draws"), 0,
             9223372036854775807.0),
  };
  return keys;
}

const std::vector<SectionSpec>& sections() {
  static const std::vector<SectionSpec> all = make_sections();
  return all;
}

const SectionSpec& section_spec(const std::string& name) {
  for (const SectionSpec& section : sections())
    if (section.name == name) return section;
  throw std::out_of_range("no section " + name);
}

std::vector<std::string> top_level_names() {
  std::vector<std::string> names = names_of(plain_keys());
  for (const std::string& section : names_of(sections())) names.push_back(section);
  return names;
}

}  // namespace starloom

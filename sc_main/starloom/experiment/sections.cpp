// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/sections.hpp>

#include <stdexcept>

#include <starloom/core/most_steps.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

/// A number of steps, 0 or more.
KeySpec steps_key(const char* name, const char* meaning) {
  return integer_key(name, meaning).within(0, static_cast<double>(most_steps)).measured_in("steps");
}

SectionSpec optics_section() {
  const auto part = [](const char* name, double value, const char* unit, const char* meaning, double min, double max) {
    return number_key(name, meaning).by_default(value).within(min, max).measured_in(unit);
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
  return {
      {"network",
       "the network: its topology and the sizes of that",
       true,
       {text_key("topology", "how nodes are connected").is_required()}},
      {"routing",
       "the routing algorithm and its own keys (`starloom list`)",
       true,
       {text_key("algorithm", "name of the routing algorithm").is_required()}},
      {"traffic",
       "which packets are created, and the pattern's own keys (`starloom list`)",
       true,
       {text_key("pattern", "name of the traffic pattern").is_required()}},
      {"limits",
       "where a run ends that does not end by itself",
       false,
       {steps_key("steps", "the run ends after this many steps; null is no limit").at_least(1),
        steps_key("quiet",
                  "steps in which flits move and none arrives (livelock), or in which nothing moves (deadlock with "
                  "active sources)")
            .by_default(100'000)
            .at_least(1),
        number_key("latency",
                   "open loop: the run ends as saturated once its mean latency is above this times the one without "
                   "contention, or an overload is seen in a part of the measurement phase; off: it goes on to its end")
            .by_default(20)
            .within(1, 1e9)
            .or_word("off")}},
      {"waves",
       "what a waveform file shows",
       false,
       {text_key("scope", "instance names to show, with * and ?; one or a list").by_default("*"),
        steps_key("from", "first step shown").by_default(0),
        steps_key("to", "first step not shown any more; null is the end"),
        choice_key("format", {"vcd", "fst"}, "file format").by_default("vcd")}},
      {"units",
       "physical units, for figures in seconds and bytes",
       false,
       {number_key("clock_ns", "length of a step").by_default(1).within(0.001, 1e9).measured_in("ns"),
        integer_key("flit_bytes", "bytes of a flit").by_default(16).within(1, 1 << 20).measured_in("bytes")}},
      optics_section(),
      {"faults",
       "hardware out of service",
       false,
       {number_key("dead_couplers",
                   "pops: the rate at which couplers are dead; or a list of pairs of groups whose couplers are")
            .within(0, 1)}},
      {"stalls",
       "links that pause at random: a test of routers with virtual channels, which must lose and reorder nothing",
       false,
       {number_key("rate", "the share of steps in which a link takes nothing from the switch before it")
            .by_default(0)
            .within(0, 0.99)}},
      {"tlm",
       "pattern transactions: who makes them and what answers them (docs/tlm.md)",
       false,
       {choice_key(
            "view",
            {transaction_view_names[0].data(), transaction_view_names[1].data(), transaction_view_names[2].data()},
            "where times come from: the empty network, the same with links that serve one packet after the other, "
            "or the hardware")
            .by_default(std::string(transaction_view_names[2])),
        integer_list_key("initiators", "the nodes of the initiators, which a transaction names by their places here")
            .is_required(),
        text_key("targets", "memories: a list of {node, base, size}, the node and its addresses in bytes")
            .is_required()}},
      {"expect", "what result.json must say: path and value, or path and equals, min, max, within", false, {}},
  };
}

}  // namespace

const std::vector<KeySpec>& plain_keys() {
  static const std::vector<KeySpec> keys = {
      integer_key("schema", "version of this file format").within(1, 1).is_required(),
      choice_key("model", {"netlist", "message"},
                 "level of the model: clocked hardware, or transactions where such a model exists")
          .by_default("netlist"),
      integer_key("seed", "the one source of all random draws").by_default(1).within(0, 9223372036854775807.0),
  };
  return keys;
}

const std::vector<SectionSpec>& sections() {
  static const std::vector<SectionSpec> all = make_sections();
  return all;
}

const SectionSpec& section_named(const std::vector<SectionSpec>& sections, const std::string& name) {
  for (const SectionSpec& section : sections)
    if (section.name == name) return section;
  throw std::out_of_range("no section " + name);
}

const SectionSpec& section_spec(const std::string& name) { return section_named(sections(), name); }

std::vector<std::string> top_level_names() {
  std::vector<std::string> names = names_of(plain_keys());
  for (const std::string& section : names_of(sections())) names.push_back(section);
  return names;
}

}  // namespace starloom

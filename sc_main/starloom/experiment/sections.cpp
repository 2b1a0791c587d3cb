// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/sections.hpp>

#include <stdexcept>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/experiment/energy_section.hpp>
#include <starloom/experiment/link_faults.hpp>
#include <starloom/experiment/optics_section.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

/// A number of steps, 0 or more.
KeySpec steps_key(const char* name, const char* meaning) {
  return integer_key(name, meaning).within(0, static_cast<double>(most_steps)).measured_in("steps");
}

SectionSpec faults_section() {
  std::vector<KeySpec> keys = link_fault_keys();
  keys.push_back(
      number_key("dead_couplers",
                 "pops: the probability that a coupler is dead, or a list of pairs of groups whose coupler is dead")
          .within(0, 1));
  return {"faults", "hardware out of service (docs/faults.md)", false, std::move(keys)};
}

std::vector<SectionSpec> make_sections() {
  return {
      {"network",
       "the network: topology and size",
       true,
       {text_key("topology", "family of networks").is_required(),
        integer_key("subnets",
                    "copies of the network side by side, with links and routers of their own; a packet stays in one "
                    "(docs/subnets.md)")
            .by_default(1)
            .within(1, most_subnets)
            .omitted_at_default(),
        text_key(
            "regions",
            "other routers: a list of {nodes, channels, buffer, stages, clock}, where nodes is a name with * and ?, or "
            "role: processor, switch or host (docs/regions.md)")
            .omitted_at_default(),
        text_key(
            "clocks",
            "clocks of nodes: a map of names and periods in steps, such as {fast: 1, slow: 2}; nodes have the first "
            "one if regions give them no other (docs/clocks.md)")
            .omitted_at_default(),
        text_key("links",
                 "other links: a list of {links, latency, width, interval, synchroniser, fifo}, where links is a name "
                 "with * and ? "
                 "(docs/links.md)")
            .omitted_at_default()}},
      {"routing",
       "the routing algorithm and its own keys (`starloom list`)",
       true,
       {text_key("algorithm", "name of the routing algorithm").is_required()}},
      {"traffic",
       "the packets that are created: a pattern and its own keys (`starloom list`)",
       true,
       {text_key("pattern", "name of the traffic pattern").is_required()}},
      {"limits",
       "limits of a run",
       false,
       {steps_key("steps", "the run ends after this number of steps; null: no limit").at_least(1),
        steps_key("quiet",
                  "number of steps without a delivery until a run counts as livelock (flits move) or deadlock (no flit "
                  "moves, sources active)")
            .by_default(100'000)
            .at_least(1),
        number_key("latency",
                   "open loop: stop as saturated when the mean latency exceeds this multiple of the zero-load latency, "
                   "or when the backlog keeps growing; off disables the test")
            .by_default(20)
            .within(1, 1e9)
            .or_word("off")}},
      {"waves",
       "contents of the waveform file",
       false,
       {text_key("scope", "names of the instances to show, one or a list; * and ? are wildcards").by_default("*"),
        steps_key("from", "first step shown").by_default(0),
        steps_key("to", "step after the last one shown; null: the end of the run"),
        choice_key("format", {"vcd", "fst"}, "file format").by_default("vcd")}},
      {"units",
       "physical units, for metrics in seconds and bytes",
       false,
       {number_key("clock_ns", "duration of a step").by_default(1).within(0.001, 1e9).measured_in("ns"),
        integer_key("flit_bytes", "size of a flit").by_default(16).within(1, 1 << 20).measured_in("bytes")}},
      {"optics", "pops: power, time and energy of the couplers, for `check` and result.json (docs/optics.md)", false,
       optics_keys()},
      {"energy", "networks of links: energy and area of routers and links (docs/energy.md)", false, energy_keys()},
      faults_section(),
      {"stalls",
       "random pauses of links, to test routers with virtual channels: no flit may be lost or reordered",
       false,
       {number_key("rate", "probability that a link accepts no flit in a step").by_default(0).within(0, 0.99)}},
      {"tlm",
       "pattern transactions: the initiators and the targets (docs/tlm.md)",
       false,
       {choice_key(
            "view",
            {transaction_view_names[0].data(), transaction_view_names[1].data(), transaction_view_names[2].data()},
            "source of times: loosely-timed (no contention), approximately-timed (links serve one packet after the "
            "other) or cycle-accurate (the hardware)")
            .by_default(std::string(transaction_view_names[2])),
        integer_list_key("initiators",
                         "the nodes of the initiators; a transaction names an initiator by its index in this list")
            .is_required(),
        text_key("targets", "memories: a list of {node, base, size}; base and size in bytes").is_required()}},
      {"expect",
       "expected results: paths of result.json, each with a value, or with equals, min, max or within",
       false,
       {}},
  };
}

}  // namespace

const std::vector<KeySpec>& plain_keys() {
  static const std::vector<KeySpec> keys = {
      integer_key("schema", "version of this file format").within(1, 1).is_required(),
      choice_key(
          "model", {"netlist", "message"},
          "level of the model: clocked hardware (netlist), or a transaction-level model where one exists (message)")
          .by_default("netlist"),
      integer_key("seed", "seed of all random choices").by_default(1).within(0, 9223372036854775807.0),
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

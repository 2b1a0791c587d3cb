// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/experiment.hpp>
#include <starloom/run/prepared_run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

const std::string plain_experiment =
    "schema: 1\n"
    "network: {topology: mesh, shape: [4, 6]}\n"
    "routing: {algorithm: greedy}\n"
    "traffic: {pattern: random-permutation}\n";

/// Loads texts as files, and says what is wrong with them, without the folder in front.
class ExperimentTest : public testing::Test {
 protected:
  const Catalogue catalogue_ = standard_catalogue();
  Experiment load(const std::string& text, const std::vector<std::string>& set = {}) const {
    std::vector<Override> overrides;
    for (const std::string& one : set) overrides.push_back(parse_override(one));
    return load_experiment(catalogue_, scratch_.write("e.yaml", text), overrides);
  }

  std::string diagnostics(const std::string& text, const std::vector<std::string>& set = {}) const {
    try {
      prepare(load(text, set));
    } catch (const InputError& error) {
      EXPECT_EQ(error.status(), ExitStatus::usage);
      std::string lines = error.what();
      const std::string folder = scratch_.path().string() + "/";
      for (std::size_t at; (at = lines.find(folder)) != std::string::npos;) lines.erase(at, folder.size());
      return lines;
    }
    return "";
  }

  ScratchFolder scratch_;
};

TEST_F(ExperimentTest, FillsInAllDefaults) {
  const Experiment e = load(plain_experiment);
  EXPECT_EQ(e.topology->name, "mesh");
  EXPECT_EQ(e.network.list("shape"), (std::vector<std::int64_t>{4, 6}));
  EXPECT_EQ(e.network.integer("link_latency"), 1);
  EXPECT_EQ(e.model, "netlist");
  EXPECT_EQ(e.algorithm->name, "greedy");
  EXPECT_EQ(e.routing.text("discipline"), "furthest-destination");
  EXPECT_EQ(e.routing.integer("bound"), 0);
  EXPECT_EQ(e.pattern->name, "random-permutation");
  EXPECT_EQ(e.traffic.integer("flits"), 1);
  EXPECT_EQ(e.seed, 1u);
  EXPECT_FALSE(e.limits.steps);
  EXPECT_EQ(e.limits.quiet, 100'000);
  EXPECT_FALSE(e.waves);
  EXPECT_EQ(e.units.clock_ns, 1);
  EXPECT_EQ(e.units.flit_bytes, 16);
  EXPECT_TRUE(e.expect.empty());
}

TEST_F(ExperimentTest, ReadsEverySection) {
  const Experiment e = load(
      "schema: 1\n"
      "network: {topology: torus, shape: [3, 4, 5], link_latency: 64}\n"
      "model: netlist\n"
      "routing:\n  algorithm: greedy\n  discipline: fifo\n  bound: 7\n"
      "traffic: {pattern: shift, offset: 3}\n"
      "seed: 9223372036854775807\n"
      "limits: {steps: 100, quiet: 10}\n"
      "waves: {scope: [\"node_a00*\", 'link_*'], from: 5, to: 9, format: fst}\n"
      "units: {clock_ns: 0.5, flit_bytes: 8}\n"
      "expect: {outcome: completed, steps: {max: 30}, queue.max: {equals: 4}, latency.mean: {within: [3.1, 3.3]}}\n");
  EXPECT_EQ(e.topology->name, "torus");
  EXPECT_EQ(e.network.integer("link_latency"), 64);
  EXPECT_EQ(e.routing.text("discipline"), "fifo");
  EXPECT_EQ(e.routing.integer("bound"), 7);
  EXPECT_EQ(e.traffic.integer("offset"), 3);
  EXPECT_EQ(e.seed, 9223372036854775807u);
  EXPECT_EQ(e.limits.steps, 100);
  EXPECT_EQ(e.limits.quiet, 10);
  ASSERT_TRUE(e.waves);
  EXPECT_EQ(e.waves->scope, (std::vector<std::string>{"node_a00*", "link_*"}));
  EXPECT_EQ(e.waves->from, 5);
  EXPECT_EQ(e.waves->to, 9);
  EXPECT_EQ(e.waves->format, "fst");
  EXPECT_EQ(e.units.clock_ns, 0.5);
  EXPECT_EQ(e.units.flit_bytes, 8);
  ASSERT_EQ(e.expect.size(), 4u);
  EXPECT_EQ(e.expect[3].path, "latency.mean");
  EXPECT_EQ(e.expect[3].min, 3.1);
  EXPECT_EQ(e.expect[3].max, 3.3);
}

TEST_F(ExperimentTest, ListsAllFaultsInOnePass) {
  const std::string text = diagnostics(
      "schema: 2\n"
      "network: {topology: mesh, shape: [8, 0, x], link_latency: 65536}\n"
      "routing: {algorithm: greddy}\n"
      "traffic: {pattern: random-permutation, flits: 1.5, flitz: 2}\n"
      "seed: -1\n"
      "seed: 3\n"
      "limits: [1]\n"
      "limit: {steps: 3}\n"
      "waves: {from: 10, to: 3, format: vcdd}\n"
      "units: {clock_ns: .inf, flit_bytes: true}\n"
      "expect: {outcome: complete, stepz: 3}\n");
  EXPECT_THAT(text, testing::StartsWith(
                        "e.yaml:1:9: schema: 2 is out of range (only 1)\n"
                        "e.yaml:2:38: network.shape: 0 is out of range (1 to 1073741824)\n"
                        "e.yaml:2:41: network.shape: an integer is expected, not \"x\"\n"
                        "e.yaml:2:59: network.link_latency: 65536 is out of range (1 to 65535)\n"
                        "e.yaml:3:22: routing.algorithm: unknown algorithm greddy (did you mean greedy?); known: "
                        "vc-wormhole, greedy, nearest-ancestor, deflection"));
  EXPECT_THAT(text,
              testing::HasSubstr(", data-sum\n"
                                 "e.yaml:4:47: traffic.flits: an integer is expected, not 1.5\n"
                                 "e.yaml:4:52: unknown key traffic.flitz (did you mean traffic.flits?)\n"
                                 "e.yaml:5:7: seed: -1 is out of range (0 to 2^63 - 1)\n"
                                 "e.yaml:6:1: seed is given twice, first at line 5, column 1\n"
                                 "e.yaml:7:9: limits: a section with keys is expected, not a list\n"
                                 "e.yaml:8:1: unknown key limit (did you mean limits?)\n"
                                 "e.yaml:9:23: waves.to: 3 is not after waves.from, 10\n"
                                 "e.yaml:9:34: waves.format: unknown format vcdd (did you mean vcd?); known: vcd, fst\n"
                                 "e.yaml:10:19: units.clock_ns: a number is expected, not \".inf\"\n"
                                 "e.yaml:10:37: units.flit_bytes: an integer is expected, not true\n"
                                 "e.yaml:11:19: expect.outcome: unknown outcome complete (did you mean completed?); "));
  EXPECT_THAT(text,
              testing::EndsWith("\ne.yaml:11:29: expect.stepz: result.json has no key stepz (did you mean steps?)"));
}

/// One fault in a file of several lines, and all that is said about it.
struct OneFault {
  const char* lines;  ///< behind `schema: 1`, in line 2 and on
  const char* text;
};
class OneFaultTest : public ExperimentTest, public testing::WithParamInterface<OneFault> {};

TEST_P(OneFaultTest, IsNamedWithItsPlace) {
  EXPECT_EQ(diagnostics(std::string("schema: 1\n") + GetParam().lines), GetParam().text);
}

#define NETWORK "network: {topology: mesh, shape: [4, 4]}\n"
#define ROUTING "routing: {algorithm: greedy}\n"
#define TRAFFIC "traffic: {pattern: identity}\n"

INSTANTIATE_TEST_SUITE_P(
    Diagnostics, OneFaultTest,
    testing::Values(
        OneFault{NETWORK ROUTING TRAFFIC "sead: 3\n", "e.yaml:5:1: unknown key sead (did you mean seed?)"},
        OneFault{NETWORK ROUTING TRAFFIC "zzzzzz: 3\n", "e.yaml:5:1: unknown key zzzzzz"},
        OneFault{NETWORK ROUTING TRAFFIC "limits: {step: 3}\n",
                 "e.yaml:5:10: unknown key limits.step (did you mean limits.steps?)"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: 1\nseed: 1\n",
                 "e.yaml:6:1: seed is given twice, first at line 5, column 1"},
        OneFault{NETWORK ROUTING TRAFFIC "limits: {quiet: 1, steps: 2, quiet: 3}\n",
                 "e.yaml:5:30: limits.quiet is given twice, first at line 5, column 10"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: 1.5\n", "e.yaml:5:7: seed: an integer is expected, not 1.5"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: 1e3\n", "e.yaml:5:7: seed: an integer is expected, not 1e3"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: 007\n", "e.yaml:5:7: seed: an integer is expected, not 007"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: '7'\n", "e.yaml:5:7: seed: an integer is expected, not \"7\""},
        OneFault{NETWORK ROUTING TRAFFIC "seed:\n", "e.yaml:5:1: seed: an integer is expected, not nothing"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: [7]\n", "e.yaml:5:7: seed: an integer is expected, not a list"},
        OneFault{NETWORK ROUTING TRAFFIC "seed: 9223372036854775808\n",
                 "e.yaml:5:7: seed: 9223372036854775808 is out of range (0 to 2^63 - 1)"},
        OneFault{NETWORK ROUTING TRAFFIC "limits: {steps: 0}\n",
                 "e.yaml:5:17: limits.steps: 0 is out of range (1 to 10^18)"},
        OneFault{NETWORK ROUTING TRAFFIC "limits: 3\n", "e.yaml:5:9: limits: a section with keys is expected, not 3"},
        OneFault{NETWORK ROUTING TRAFFIC "units: {clock_ns: .nan}\n",
                 "e.yaml:5:19: units.clock_ns: a number is expected, not \".nan\""},
        OneFault{NETWORK ROUTING TRAFFIC "units: {clock_ns: 0}\n",
                 "e.yaml:5:19: units.clock_ns: 0 is out of range (0.001 to 10^9)"},
        OneFault{NETWORK ROUTING TRAFFIC "model: messages\n",
                 "e.yaml:5:8: model: unknown model messages (did you mean message?); known: netlist, message"},
        OneFault{NETWORK ROUTING TRAFFIC "model: message\n",
                 "e.yaml:5:8: model: greedy has no transaction-level model; use netlist"},
        OneFault{NETWORK ROUTING TRAFFIC "waves: {scope: [a, [b]]}\n",
                 "e.yaml:5:20: waves.scope: a word is expected, not a list"},
        OneFault{NETWORK ROUTING TRAFFIC "waves: {to: 0}\n", "e.yaml:5:13: waves.to: 0 is not after waves.from, 0"},
        OneFault{NETWORK ROUTING TRAFFIC "expect: {queue_max: 3}\n",
                 "e.yaml:5:10: expect.queue_max: result.json has no key queue_max"},
        OneFault{NETWORK ROUTING TRAFFIC "expect: {quoue.max: 3}\n",
                 "e.yaml:5:10: expect.quoue.max: result.json has no key quoue (did you mean queue?)"},
        OneFault{NETWORK ROUTING "traffic: {pattern: identity, flits: 2}\n",
                 "e.yaml:4:37: traffic: packets of 2 flits, but greedy moves only packets of one flit"},
        OneFault{NETWORK ROUTING "traffic: {pattern: bounded}\n",
                 "e.yaml:4:10: traffic.distance is missing (greatest distance of a packet)"},
        OneFault{NETWORK "routing: {algorithm: greedy, discipline: lifo}\n" TRAFFIC,
                 "e.yaml:3:42: routing.discipline: unknown discipline lifo (did you mean fifo?); known: "
                 "furthest-destination, "
                 "furthest-origin, fifo"},
        OneFault{NETWORK "routing: {discipline: fifo}\n" TRAFFIC,
                 "e.yaml:3:10: routing.algorithm is missing (name of the routing algorithm)"},
        OneFault{NETWORK ROUTING,
                 "e.yaml:1:1: traffic is missing (the packets that are created: a pattern and its own keys (`starloom "
                 "list`))"},
        OneFault{"network: {topology: mesh}\n" ROUTING TRAFFIC,
                 "e.yaml:2:10: network.shape is missing (nodes along each dimension; [rows, columns] for a mesh of "
                 "two)"},
        OneFault{"network: {topology: mesh, shape: [4, 0]}\n" ROUTING TRAFFIC,
                 "e.yaml:2:38: network.shape: 0 is out of range (1 to 1073741824)"},
        OneFault{"network: {topology: mesh, shape: [-4, 4]}\n" ROUTING TRAFFIC,
                 "e.yaml:2:35: network.shape: -4 is out of range (1 to 1073741824)"},
        OneFault{"network: {topology: mesh, shape: 4}\n" ROUTING TRAFFIC,
                 "e.yaml:2:34: network.shape: a list of integers is expected, not 4"},
        OneFault{"network: {topology: mesh, shape: []}\n" ROUTING TRAFFIC,
                 "e.yaml:2:34: network.shape: a grid has 1 to 16 dimensions, not 0"},
        OneFault{"network: {topology: torus, shape: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}\n" ROUTING TRAFFIC,
                 "e.yaml:2:35: network.shape: a grid has 1 to 16 dimensions, not 17"}));

// For a section whose topology, algorithm or pattern is unknown, no further errors are reported.
TEST_F(ExperimentTest, UnknownTopology) {
  const std::string text = diagnostics("schema: 1\nnetwork: {topology: star, shape: [4, 0]}\n" ROUTING TRAFFIC);
  EXPECT_THAT(text, testing::StartsWith("e.yaml:2:21: network.topology: unknown topology star; known: mesh, torus, "));
  EXPECT_THAT(text, testing::EndsWith(", pops"));
}

TEST_F(ExperimentTest, UnknownPattern) {
  const std::string text = diagnostics("schema: 1\n" NETWORK ROUTING "traffic: {pattern: idendity, flitz: 3}\n");
  EXPECT_THAT(text, testing::StartsWith("e.yaml:4:20: traffic.pattern: unknown pattern idendity (did you mean "
                                        "identity?); known: uniform, hot-spot, "));
  EXPECT_THAT(text, testing::EndsWith(", ranks"));
}

TEST_F(ExperimentTest, NotAnExperimentAtAll) {
  EXPECT_EQ(diagnostics(""), "e.yaml: the file is empty");
  EXPECT_EQ(diagnostics(" \n"), "e.yaml: the file is empty");
  EXPECT_EQ(diagnostics("# nothing\n"), "e.yaml: the file is empty");
  EXPECT_EQ(diagnostics("schema: 1\nnetwork: {topology: mesh\nseed: 1\n"),
            "e.yaml:3:5: not YAML: end of map flow not found");
  const std::string tab = ": a tab at the beginning of the line; YAML allows only spaces there";
  EXPECT_EQ(diagnostics("schema: 1\nnetwork:\n\ttopology: mesh\n"), "e.yaml:3:1" + tab);
  EXPECT_EQ(diagnostics("schema: 1\nnetwork:\n  topology: mesh\n  \tshape: [4, 4]\n"), "e.yaml:4:3" + tab);
  EXPECT_EQ(diagnostics("schema: 1\nnetwork: {topology: mesh,\n\tshape: [4, 4]\nseed: 1\n"),
            "e.yaml:4:1: not YAML: end of map flow not found")
      << "a tab within a section in braces is none's fault";
  EXPECT_EQ(diagnostics("a: 1\n---\nb: 1\n"), "e.yaml:3:1: a second YAML document; a file has only one");
  EXPECT_EQ(diagnostics("a: !x 1\n"), "e.yaml:1:4: tags (!x) have no meaning here");
  EXPECT_EQ(diagnostics("a: &all [*all]\n"), "e.yaml:1:10: an alias to a value that contains it");
  EXPECT_EQ(diagnostics("? [a]\n: 1\n"), "e.yaml:1:3: a key must be a plain word, not a list or a section");
  EXPECT_EQ(diagnostics("- 1\n"),
            "e.yaml:1:1: an experiment is expected, a section with the keys schema, model, seed, network, routing, "
            "traffic, limits, waves, units, optics, energy, faults, stalls, tlm, expect, not a list");
}

TEST_F(ExperimentTest, AnAlgorithmMaySayHowLongItIsQuiet) {
  const std::string text =
      "schema: 1\nnetwork: {topology: torus, shape: [16, 16]}\nrouting: {algorithm: sliding-diagonals}\n"
      "traffic: {pattern: random-permutation}\n";
  EXPECT_GT(load(text).limits.quiet, 100'000);
  EXPECT_EQ(load(text + "limits: {quiet: 9}\n").limits.quiet, 9);
  EXPECT_EQ(load(text, {"limits.quiet=9"}).limits.quiet, 9);
}

TEST_F(ExperimentTest, AliasesStandForWhatTheyName) {
  const Experiment e = load(plain_experiment + "seed: &n 7\nlimits: {quiet: *n}\n");
  EXPECT_EQ(e.limits.quiet, 7);
}

// Ten levels of ten aliases each would be ten thousand million values.
TEST_F(ExperimentTest, AliasesDoNotFillTheMemory) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int j = 1; j < 10; ++j) text += ", " + below;
    text += "]\n";
  }
  EXPECT_THAT(diagnostics(text), testing::HasSubstr("aliases expand to more than 1000000 values"));
}

TEST_F(ExperimentTest, OverridesComeBeforeTheChecks) {
  const Experiment e = load(plain_experiment, {"network.shape=[2, 3]", "limits.steps=10", "limits.quiet=5", "seed=4",
                                               "expect.queue.max={max: 3}", "routing={algorithm: greedy, bound: 2}"});
  EXPECT_EQ(e.network.list("shape"), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(e.limits.steps, 10);
  EXPECT_EQ(e.limits.quiet, 5);
  EXPECT_EQ(e.seed, 4u);
  EXPECT_EQ(e.routing.integer("bound"), 2);
  ASSERT_EQ(e.expect.size(), 1u);
  EXPECT_EQ(e.expect[0].path, "queue.max");
  EXPECT_FALSE(load(plain_experiment + "limits: {steps: 3}\n", {"limits.steps=null"}).limits.steps);
}

TEST_F(ExperimentTest, OverridesAreNamedInMessages) {
  const auto diagnostics_of = [&](const std::string& set) { return diagnostics(plain_experiment, {set}); };
  EXPECT_EQ(diagnostics_of("limits.steps=0"), "--set limits.steps: 0 is out of range (1 to 10^18)");
  EXPECT_EQ(diagnostics_of("limits.step=1"), "--set limits.step: unknown key (did you mean limits.steps?)");
  EXPECT_EQ(diagnostics_of("schema.x=1"), "--set schema.x: schema is 1, not a section");
  EXPECT_EQ(diagnostics_of("seed=["), "--set seed: not a YAML value: [");
  EXPECT_EQ(diagnostics_of("seed="), "--set seed: an integer is expected, not nothing");
  EXPECT_EQ(diagnostics_of("seed"), "--set seed: the form is --set key.path=value, e.g. --set limits.steps=1000");
  EXPECT_EQ(diagnostics_of(".a=1"), "--set .a=1: the form is --set key.path=value, e.g. --set limits.steps=1000");
  EXPECT_EQ(diagnostics_of("a\nb"), "--set a\\x0ab: the form is --set key.path=value, e.g. --set limits.steps=1000");
  EXPECT_EQ(diagnostics_of("seed\n=[\n"), "--set seed\\x0a: not a YAML value: [\\x0a");
  EXPECT_EQ(diagnostics_of("limits={steps: 1, steps: 2}"), "--set limits: limits.steps is given twice");
}

TEST_F(ExperimentTest, FaultsOfDataFilesKeepTheirPlaces) {
  scratch_.write("p.txt", "1 0 2 x\n");
  const std::string head = "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: greedy}\n";
  EXPECT_EQ(diagnostics(head + "traffic: {pattern: file, file: p.txt}\n"),
            "p.txt:1:7: destination of node 3: 'x' is not an integer");
  EXPECT_THAT(diagnostics(head + "traffic: {pattern: file, file: q.txt}\n"),
              testing::StartsWith("e.yaml:4:32: traffic.file: cannot read q.txt: "));
  scratch_.write("b.txt",
                 "\xef\xbb\xbf"
                 "1 0 2 3 # with a byte order mark\n");
  EXPECT_EQ(diagnostics(head + "traffic: {pattern: file, file: b.txt}\n"), "");
  scratch_.write("long.csv", "cycle,source,destination,flits\n0,0,1,3\n");
  EXPECT_EQ(diagnostics(head + "traffic: {pattern: packets, file: long.csv}\n"),
            "e.yaml:4:1: traffic: packets of 3 flits, but greedy moves only packets of one flit");
}

TEST_F(ExperimentTest, PatternsThatDoNotFitTheNetwork) {
  EXPECT_THAT(diagnostics(plain_experiment, {"traffic={pattern: transpose}"}), testing::StartsWith("--set traffic: "));
}

AlgorithmEntry needing(const std::string& name, const std::vector<std::string>& needs) {
  AlgorithmEntry entry;
  entry.name = name;
  entry.needs = needs;
  return entry;
}
TopologyEntry offering(const std::string& name, const std::vector<std::string>& capabilities = {}) {
  TopologyEntry entry;
  entry.name = name;
  entry.offers = capabilities;
  return entry;
}

TEST(TopologyRefusal, SaysWhichAlgorithmsServe) {
  const AlgorithmEntry ring = needing("ring-only", {"torus"});
  const AlgorithmEntry both = needing("both", {"mesh", "torus"});
  const AlgorithmEntry all = needing("all", {connected});
  TopologyEntry couplers = offering("couplers");
  couplers.make = MakePops();
  const TopologyEntry mesh = offering("mesh"), tiles = offering("tiles", {"mesh"});
  const Catalogue catalogue{
      {mesh, tiles, offering("torus"), couplers}, {ring, both, all, needing("other", {"mesh"})}, {}};
  EXPECT_EQ(topology_refusal(ring, mesh, catalogue),
            "ring-only works on torus, not on mesh; these work on mesh: both, all, other");
  EXPECT_EQ(topology_refusal(both, couplers, catalogue),
            "both works on mesh, tiles and torus, not on couplers; no algorithm works on couplers yet");
  EXPECT_EQ(topology_refusal(all, couplers, catalogue),
            "all works on networks of links, not on couplers; no algorithm works on couplers yet");
  for (const AlgorithmEntry& serves : {both, all}) EXPECT_EQ(topology_refusal(serves, tiles, catalogue), std::nullopt);
}

// Measured: the memory of runs on a 16 x 16 mesh, less that of a run with links of latency 1.
TEST(MemoryEstimate, CountsTheStepsOfLinks) {
  const auto measured = [](double kilobytes) { return kilobytes * 1024; };
  const auto expect = [](double estimate, double bytes) { EXPECT_NEAR(estimate, bytes, 0.12 * bytes); };
  expect(flight_bytes(256, 4, 1000, 0), measured(59948 - 22784));
  expect(flight_bytes(256, 4, 4000, 0), measured(171972 - 22784));
  expect(flight_bytes(256, 4, 1000, 5 * 2), measured(34372 - 25784));
  expect(flight_bytes(256, 4, 4000, 5 * 2), measured(60020 - 25784));
  expect(flight_bytes(256, 4, 1000, 5 * 16), measured(98128 - 40392));
  expect(flight_bytes(256, 4, 4000, 5 * 16), measured(271796 - 40392));
  EXPECT_EQ(flight_bytes(256, 4, 1, 10), 0);
}

// Terminals have no rings, and share their input channels.
TEST(MemoryEstimate, CountsTheSlotsOfRoutersOnly) {
  EXPECT_EQ(router_bytes(0, 1000, 196, 8), router_bytes(0, 1000, 196, 2000));
  EXPECT_LT(router_bytes(0, 1000, 196, 8), router_bytes(1000, 0, 196, 8));
  EXPECT_EQ(router_bytes(5, 7, 196, 8), router_bytes(5, 0, 196, 8) + router_bytes(0, 7, 196, 8));
}

TEST(MemoryEstimate, SaysWhatIsNeededAndWhatThereIs) {
  using Shape = std::vector<std::int64_t>;
  const auto error = [](const char* topology, std::map<std::string, KeyValue> keys, std::optional<double> available) {
    for (const TopologyEntry& entry : topology_table())
      if (entry.name == topology)
        if (const auto found = network_error(entry, KeyValues(std::move(keys)), [=] { return available; }))
          return std::string(found->what());
    return std::string();
  };
  const auto shape_error = [&](Shape shape, std::optional<double> available) {
    return error("mesh", {{"shape", std::move(shape)}}, available);
  };
  const auto pops_error = [&](std::int64_t groups, std::int64_t group_size, double available) {
    return error("pops", {{"groups", groups}, {"group_size", group_size}}, available);
  };
  const Shape shape = {180, 180};
  EXPECT_NEAR(needed_bytes({180 * 180, 4 * 180 * 179}), 300e6, 10e6);
  EXPECT_EQ(shape_error(shape, 1e9), "");
  EXPECT_EQ(shape_error(shape, std::nullopt), "");
  EXPECT_EQ(shape_error(shape, 100e6),
            "this network needs about 303 MB of memory, and 100 MB are available; choose a smaller shape");
  EXPECT_EQ(shape_error({100'000, 100'000}, 24e9),
            "this network needs about 93999 GB of memory, and 24 GB are available; choose a smaller shape");
  EXPECT_EQ(shape_error({100'000, 100'000}, std::nullopt),
            "a grid of 2 dimensions has at most 536870911 nodes, not 10000000000");
  EXPECT_EQ(pops_error(4096, 4096, 24e9), "");
  EXPECT_EQ(pops_error(4096, 4096, 1e8),
            "this network needs about 285 MB of memory, and 100 MB are available; choose a smaller one");
  EXPECT_EQ(pops::netlist_error(Pops(256, 256), 0, 24e9), std::nullopt);
  EXPECT_EQ(pops::netlist_error(Pops(4096, 4096), 1e9, 24e9),
            "the netlist needs about 56 GB of memory, and 24 GB are available; choose a smaller network, or model: "
            "message");
  EXPECT_GT(available_bytes().value_or(1), 0);
  EXPECT_EQ(shape_error({8, 8}, 0), "") << "asked how much is available";
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
// The commands on inputs that are sound.
#include "cli/program_run.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "support/xml.hpp"

namespace starloom {
namespace {

class Commands : public ProgramTest {
 protected:
  Commands() { scratch_.write("e.yaml", small_experiment); }
  nlohmann::json result(const std::string& folder) const {
    return nlohmann::json::parse(scratch_.read(folder + "/result.json"));
  }
};

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

TEST_F(Commands, VersionAndHelpAreOnStdoutAlone) {
  const ProgramRun version = starloom("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("starloom [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(version.err, "");
  for (const char* words : {"--help", "run --help", "regress --help"}) {
    const ProgramRun help = starloom(words);
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("Usage: starloom"));
    EXPECT_EQ(help.err, "");
  }
}

// The program's help, in all its forms, comes from one table.
TEST_F(Commands, HelpManualAndCompletionKnowAllCommands) {
  const std::string help = starloom("help").out, manual = starloom("help --man").out;
  const std::string keys = starloom("explain --man").out;
  const std::string bash = starloom("help --completion bash").out, zsh = starloom("help --completion zsh").out;
  EXPECT_EQ(help, starloom("--help").out);
  EXPECT_THAT(starloom("help run").out, HasSubstr("\nUsage: starloom run FILE [OPTIONS]\n"));
  EXPECT_THAT(starloom("help campaign").out,
              HasSubstr("       starloom campaign merge STORE... --into FILE [OPTIONS]\n"));
  EXPECT_THAT(starloom("help show").out, HasSubstr("Usage: starloom show DIR --step N [OPTIONS]\n"));
  for (const char* command : {"run", "check", "plan", "regress", "verify", "show", "draw", "list", "explain",
                              "campaign", "report", "demo", "saturate", "faults", "help"}) {
    EXPECT_THAT(help, HasSubstr(std::string("\n  ") + command + " "));
    const std::string own = starloom(std::string("help ") + command).out;
    EXPECT_LE(std::count(own.begin(), own.end(), '\n'), 50) << command;
    EXPECT_THAT(manual, HasSubstr(std::string("\n.SS starloom ") + command + "\n"));
    EXPECT_THAT(bash, HasSubstr(std::string("        ") + command + ") choices="));
    EXPECT_THAT(zsh, HasSubstr(std::string("    ") + command + ") _arguments "));
  }
  EXPECT_THAT(manual, HasSubstr("\n\\fB\\-\\-trace\\fR \\fI[FROM:TO]\\fR\n"));
  EXPECT_THAT(keys, HasSubstr("\n\\fBrouting.discipline\\fR\n"));
  // Of no machine in particular.
  EXPECT_THAT(manual, HasSubstr("number of parallel processes [one per core]"));
  refuses("help --completion fish", 2,
          "starloom: --completion fish: one of bash, zsh is expected; see starloom help --help");
}

// The example of docs/output.md.
TEST_F(Commands, TraceAndPacketsOfTheExample) {
  scratch_.write("two.csv", "cycle,source,destination,flits\n0,0,2,1\n0,1,2,1\n");
  const ProgramRun run = starloom(
      "run e.yaml --trace --set network.shape=[1,3] --set 'traffic={pattern: packets, file: two.csv}' --quiet");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(scratch_.read("out/e/trace.csv"),
            "step,event,packet,flit,node,port,to\n"
            "0,inject,0,0,0,,\n0,inject,1,0,1,,\n0,hop,0,0,0,1,1\n0,hop,1,0,1,1,2\n"
            "1,hop,0,0,1,1,2\n1,eject,1,0,2,,\n2,eject,0,0,2,,\n");
  EXPECT_EQ(scratch_.read("out/e/packets.csv"),
            "packet,source,destination,flits,created,delivered\n0,0,2,1,0,2\n1,1,2,1,0,1\n");
  EXPECT_THAT(files("out"), UnorderedElementsAre("e"));
  EXPECT_THAT(files("out/e"), UnorderedElementsAre("result.json", "packets.csv", "trace.csv", "timing.json",
                                                   "links.svg", "latency.svg"));
  EXPECT_EQ(starloom("verify out/e").status, 0);
}

// The first line of a summary is the outcome and the number that matters for this kind of run.
TEST_F(Commands, RunEndsWithATable) {
  const std::string steps = "completed: 6 steps (at least 6 by distance, at most 6 by theory)\n";
  const ProgramRun run = starloom("run e.yaml");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, steps +
                         "  experiment    greedy on mesh 4 x 4, reversal, seed 1\n"
                         "  packets       16 of 16 delivered\n"
                         "  latency       mean 4.00, p50 4, p95 6, p99 6, max 6 steps\n"
                         "  throughput    2.667 flits per step, 0.1667 per processor and step\n"
                         "  distance      mean 4.00, max 6\n"
                         "  queue         at most 2 packets, first in node_r00_c01 at the end of step 0\n"
                         "  busiest link  link_r00_c01_east, 28.6 % busy: 2 flits in 7 steps\n"
                         "  files         out/e\n");
  EXPECT_EQ(run.err, "");
  // Times are printed where the file gives units.
  const std::string timed = starloom("run e.yaml --force --set units.clock_ns=2").out;
  EXPECT_THAT(timed, StartsWith("completed: 6 steps, 12 ns (at least 6 by distance, at most 6 by theory)\n"));
  EXPECT_THAT(timed, HasSubstr("max 6 steps (mean 8.00, max 12 ns)\n"));
  EXPECT_THAT(timed, HasSubstr(" per processor and step (170.7 Gbit/s in total)\n"));
  // No packet can be there before it is created and has crossed the links of its distance.
  scratch_.write("late.csv", "cycle,source,destination,flits\n0,0,15,1\n40,0,5,1\n");
  EXPECT_THAT(starloom("run e.yaml --force --set 'traffic={pattern: packets, file: late.csv}'").out,
              StartsWith("completed: 42 steps (at least 42 by distance)\n"));

  const std::string expected = starloom("run e.yaml --force --set expect.steps=6").out;
  EXPECT_THAT(expected, StartsWith("completed (as expected): 6 steps "));
  const ProgramRun missed = starloom("run e.yaml --force --set expect.steps=7");
  EXPECT_EQ(missed.status, 6);
  EXPECT_THAT(missed.out, StartsWith("completed (NOT expected): 6 steps "));
}

// In open loop, the important number is the accepted part of the offered load; the step of the last delivery has no
// meaning.
TEST_F(Commands, SummaryOfOpenLoop) {
  const std::string base =
      "run e.yaml --force --set 'routing={algorithm: vc-wormhole}' --set 'traffic={pattern: uniform, warmup: 100, "
      "measure: 200, drain: 300, rate: ";
  const ProgramRun light = starloom(base + "0.1}'");
  EXPECT_THAT(light.out, ContainsRegex("^completed: accepted 0\\.[0-9]+, offered 0\\.[0-9]+ flits per processor and "
                                       "step\n  experiment    vc-wormhole on mesh 4 x 4, uniform, seed 1\n"
                                       "  latency       mean .*\n  in network    mean .*\n"
                                       "  packets       [0-9]+ of [0-9]+ delivered .of the measurement phase.\n"
                                       "  window        warm-up 100, measurement 200, drain [0-9]+ of at most 300 "
                                       "steps\n  distance "));
  EXPECT_THAT(light.out, testing::Not(HasSubstr("  throughput")));
  const ProgramRun heavy = starloom(base + "1}'");
  EXPECT_EQ(heavy.status, 0);
  EXPECT_THAT(heavy.out, ContainsRegex("^saturated: .*lower traffic.rate.*\n  experiment .*\n"
                                       "  throughput    accepted 0\\.[0-9]+, offered 1 flits "));
  EXPECT_THAT(heavy.out, testing::Not(HasSubstr("makespan")));
}

// Metrics of an algorithm have a column of their own, four digits and their names from result.json.
TEST_F(Commands, SummaryOfMetricsOfTheAlgorithm) {
  EXPECT_THAT(starloom("run e.yaml --set 'network={topology: pops, groups: 4, group_size: 4}' --set "
                       "routing.algorithm=comparator-sort --set traffic.pattern=random-permutation")
                  .out,
              AllOf(StartsWith("completed: 20 slots (at most 20 by theory)\n"),
                    HasSubstr("\n  permutation   slots for any: offline 2, comparator-sort 20; for a random one: "),
                    HasSubstr("\n  metrics of comparator-sort\n    collisions               0\n"
                              "    published_formula_slots  54\n  files ")));
}

TEST_F(Commands, OptionsOfFiles) {
  EXPECT_EQ(starloom("run e.yaml --no-packets --out a/b/c --quiet").status, 0);
  EXPECT_THAT(files("a/b/c"), UnorderedElementsAre("result.json", "timing.json", "links.svg", "latency.svg"));
  EXPECT_EQ(starloom("run --trace 1:2 e.yaml --out a/b/c --force --quiet").status, 0);
  EXPECT_THAT(scratch_.read("a/b/c/trace.csv"), StartsWith("step,event,packet,flit,node,port,to\n1,"));
  EXPECT_THAT(scratch_.read("a/b/c/trace.csv"), testing::Not(HasSubstr("\n2,")));
  EXPECT_EQ(starloom("run --trace e.yaml --out a/b/c --force --quiet").status, 0);
  EXPECT_EQ(starloom("verify a/b/c").status, 0);
}

// Beside other files, in the folder where one exists.
TEST_F(Commands, OutputIntoTheWorkingFolder) {
  EXPECT_EQ(starloom("run e.yaml --quiet --out .").status, 5);
  EXPECT_EQ(starloom("run e.yaml --quiet --out . --force").status, 0);
  EXPECT_EQ(scratch_.read("e.yaml"), small_experiment);
  EXPECT_THAT(files("."), UnorderedElementsAre("e.yaml", "stdout", "stderr", "result.json", "packets.csv",
                                               "timing.json", "links.svg", "latency.svg"));
}

TEST_F(Commands, ResultsDoNotDependOnOrderThreadsWakingOrReferee) {
  const std::string base = "run e.yaml --set traffic.pattern=random-permutation --trace --dump-netlist --quiet --out ";
  ASSERT_EQ(starloom(base + "a").status, 0);
  ASSERT_EQ(starloom(base + "b --shuffle 7 --wake all --no-referee").status, 0);
  const ProgramRun shared = starloom(base + "t --threads 1000");
  ASSERT_EQ(shared.status, 0);
  EXPECT_THAT(shared.err, HasSubstr("starloom: --threads 1000: the run uses "));
  for (const char* name : {"/result.json", "/packets.csv", "/trace.csv", "/links.svg", "/latency.svg", "/netlist.json"})
    for (const std::string folder : {"b", "t"})
      EXPECT_EQ(scratch_.read(std::string("a") + name), scratch_.read(folder + name)) << folder << name;
  // If neither referee nor trace needs all actions of a node, the engine reads only the unusual ones.
  ASSERT_EQ(starloom("run e.yaml --set traffic.pattern=random-permutation --no-referee --quiet --out n").status, 0);
  for (const char* name : {"/packets.csv", "/links.svg", "/latency.svg"})
    EXPECT_EQ(scratch_.read(std::string("a") + name), scratch_.read(std::string("n") + name)) << name;
  EXPECT_EQ(result("a")["links"], result("n")["links"]);
  EXPECT_EQ(result("a")["queue"], result("n")["queue"]);
  ASSERT_EQ(starloom(base + "c --seed 2").status, 0);
  EXPECT_NE(scratch_.read("a/packets.csv"), scratch_.read("c/packets.csv"));
  EXPECT_EQ(result("c")["experiment"]["seed"], 2);
}

// Most of the steps are idle, including all of the last ones.
TEST_F(Commands, StepsThatAreSkippedBelongToARun) {
  for (const char* const algorithm : {"greedy", "vc-wormhole", "deflection"}) {
    scratch_.write("idle.yaml",
                   std::string("schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: ") +
                       algorithm + "}\ntraffic: {pattern: uniform, rate: 0.001, warmup: 10, measure: 300}\n");
    ASSERT_EQ(starloom("run idle.yaml --waves --trace --quiet --force --out a").status, 0);
    ASSERT_EQ(starloom("run idle.yaml --waves --trace --quiet --force --out b --wake all").status, 0);
    EXPECT_EQ(files("a"), files("b"));
    for (const std::string& name : files("a")) {
      if (name == "timing.json") continue;
      EXPECT_EQ(scratch_.read("a/" + name), scratch_.read("b/" + name)) << algorithm << " " << name;
    }
    EXPECT_THAT(scratch_.read("a/waves.vcd"), testing::EndsWith("#310000\n"));
  }
}

// By the option, or by the section alone.
TEST_F(Commands, WavesStandBesideTheResult) {
  const ProgramRun option = starloom("run e.yaml --quiet --waves --out all");
  EXPECT_EQ(option.status, 0);
  EXPECT_EQ(option.err, "");
  EXPECT_THAT(files("all"),
              UnorderedElementsAre("result.json", "packets.csv", "timing.json", "waves.vcd", "waves.gtkw", "links.svg",
                                   "latency.svg", "waves.mode.filter", "waves.flit_kind.filter"));
  const ProgramRun section = starloom("run e.yaml --quiet --out some --set 'waves={scope: [node_r00_*], from: 2}'");
  EXPECT_EQ(section.status, 0);
  EXPECT_EQ(section.err, "");
  EXPECT_THAT(scratch_.read("some/waves.vcd"), HasSubstr("\n$enddefinitions $end\n#2000\n$dumpvars\n"));
  EXPECT_THAT(scratch_.read("some/waves.gtkw"), HasSubstr("\n[timestart] 2000\n"));
  EXPECT_LT(scratch_.read("some/waves.vcd").size(), scratch_.read("all/waves.vcd").size());
  EXPECT_EQ(scratch_.read("some/result.json"), scratch_.read("all/result.json"));
}

TEST_F(Commands, WatchTellsOnePacketsWay) {
  const ProgramRun run = starloom("run e.yaml --quiet --set network.shape=[1,3] --watch packet=0 --watch packet=9");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err,
            "step 0: packet 0 flit 0 leaves the memory of node_r00_c00\n"
            "step 0: packet 0 flit 0 enters link_r00_c00_east towards node_r00_c01\n"
            "step 1: packet 0 flit 0 enters link_r00_c01_east towards node_r00_c02\n"
            "step 2: packet 0 flit 0 is delivered at node_r00_c02\n"
            "starloom: --watch packet=9: there is no such packet; 3 were created\n");
}

TEST_F(Commands, OutcomesAndTheirStatus) {
  const ProgramRun limit = starloom("run e.yaml --quiet --set limits.steps=2 --out limit");
  EXPECT_EQ(limit.status, 4);
  EXPECT_THAT(limit.err, StartsWith("e.yaml: step-limit: limits.steps stopped the run; raise it to see the end\n"));
  EXPECT_EQ(result("limit")["outcome"], "step-limit");

  const ProgramRun met = starloom("run e.yaml --quiet --set limits.steps=2 --set expect.outcome=step-limit --out met");
  EXPECT_EQ(met.status, 0);

  const std::string crowd =
      "run e.yaml --quiet --set routing.bound=1 --set 'traffic={pattern: hot-spot, targets: [5]}' ";
  const ProgramRun broken = starloom(crowd + "--trace --out broken");
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.err, StartsWith("e.yaml: violation: step "));
  EXPECT_EQ(result("broken")["outcome"], "violation");
  EXPECT_TRUE(exists("broken/trace.csv"));
  EXPECT_EQ(starloom("verify broken").status, 3);
  EXPECT_EQ(starloom(crowd + "--set expect.outcome=violation --out expected").status, 0);

  const ProgramRun missed = starloom("run e.yaml --quiet --set expect.steps=7 --out missed");
  EXPECT_EQ(missed.status, 6);
  EXPECT_EQ(missed.err,
            "--set expect.steps: expectation missed: steps is 6, expected 7; if the new value is correct, update the "
            "expectation\n");

  const ProgramRun full = starloom(
      "run e.yaml --quiet --set 'traffic={pattern: uniform, rate: 1, warmup: 5, measure: 10, drain: 1}' --out full");
  EXPECT_EQ(full.status, 0);
  EXPECT_THAT(full.err, StartsWith("e.yaml: saturated: "));
}

// A head at its destination waits for the local port, which is not a link.
TEST_F(Commands, SaysWhoWaitsForItsProcessor) {
  const ProgramRun run = starloom(
      "run e.yaml --quiet --set 'network={topology: torus, shape: [3, 4]}' --set 'routing={algorithm: vc-wormhole, "
      "channels: 4}' --set 'traffic={pattern: random-function, rate: 0.4, warmup: 1, measure: 6, drain: 6}' --set "
      "limits.steps=9");
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, StartsWith("e.yaml: step-limit: "));
  EXPECT_THAT(run.err, HasSubstr(" for its processor, addressed to node_a"));
}

TEST_F(Commands, VerifyingWithoutCreditsSaysSo) {
  scratch_.write("vc.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: vc-wormhole}\n"
                 "traffic: {pattern: reversal, flits: 3}\n");
  ASSERT_EQ(starloom("run vc.yaml --trace --out vc").status, 0);
  EXPECT_EQ(starloom("verify vc").out, "vc: no violation (4 packets, 48 rows of the trace)\n");
  std::filesystem::remove(scratch_.file("vc/credits.csv"));
  EXPECT_EQ(starloom("verify vc").out,
            "vc: no violation (4 packets, 48 rows of the trace)\n"
            "  credits were not checked: credits.csv is missing\n");
}

// A graph has no key of latency: credits take as much longer on each link as on the slowest.
TEST_F(Commands, VerifyKnowsTheCreditsOfUnevenLinks) {
  scratch_.write("uneven.yaml",
                 "nodes: [{name: a}, {name: b}, {name: c}]\nlinks:\n- {from: a, to: b, both: true}\n"
                 "- {from: b, to: c, both: true, latency: 3}\n");
  scratch_.write("vc.yaml",
                 "schema: 1\nnetwork: {topology: graph, file: uneven.yaml}\n"
                 "routing: {algorithm: vc-wormhole, function: up-down, buffer: 2}\n"
                 "traffic: {pattern: reversal, flits: 9}\n");
  for (const char* latency : {"4", "6"}) {
    ASSERT_EQ(
        starloom(std::string("run vc.yaml --trace --force --out vc --set routing.credit_latency=") + latency).status,
        0);
    EXPECT_EQ(starloom("verify vc").out, "vc: no violation (3 packets, 90 rows of the trace)\n") << latency;
  }
  // Were they quicker than the key says, that would be a fault.
  scratch_.write("vc/result.json", std::regex_replace(scratch_.read("vc/result.json"),
                                                      std::regex("\"credit_latency\": 6"), "\"credit_latency\": 7"));
  EXPECT_THAT(starloom("verify vc").err, HasSubstr(" without a credit"));
}

// For an algorithm with a timetable, `verify` also checks that, by the constants that the result reports.
TEST_F(Commands, VerifyAsksTheAuditOfTheAlgorithm) {
  scratch_.write("diagonals.yaml",
                 "schema: 1\nnetwork: {topology: torus, shape: [24, 24]}\nrouting: {algorithm: sliding-diagonals}\n"
                 "traffic: {pattern: random-permutation, flits: 2}\n");
  ASSERT_EQ(starloom("run diagonals.yaml --trace --out out").status, 0);
  const std::string result = scratch_.read("out/result.json");
  const auto damaged = [&](const char* from, const char* to) {
    scratch_.write("out/result.json", std::regex_replace(result, std::regex(from), to));
    return starloom("verify out").err;
  };
  EXPECT_EQ(damaged("\"units\": 29", "\"units\": 29"), "");
  EXPECT_EQ(damaged("\"units\": 29", "\"units\": 30"),
            "out: in result.json schedule.units is 30, but packets and rows give 29\n");
  EXPECT_THAT(damaged("\"F\": 32", "\"F\": 33"), HasSubstr("out: the timetable was not kept: step "));
  EXPECT_THAT(damaged("\"w0\": 7", "\"w0\": 25"),
              HasSubstr("out/result.json: 'algorithm' has constants that do not fit the torus"));
  EXPECT_THAT(damaged("\"R\": 8", "\"R\": 0"), HasSubstr("out/result.json: 'algorithm.R' is out of range"));
}

// Short packets share the buffers of a ring, so that some are behind others. The trace shows the holders.
TEST_F(Commands, ADeadlockIsAClosedCircle) {
  scratch_.write(
      "ring.yaml",
      "schema: 1\nnetwork: {topology: ring, nodes: 8}\n"
      "routing: {algorithm: vc-wormhole, function: shortest, channels: 1, buffer: 4}\n"
      "traffic: {pattern: uniform, rate: 0.8, warmup: 0, measure: 3000, drain: 0}\nlimits: {latency: off}\n");
  int behind = 0;
  for (const int flits : {2, 3, 6})
    for (const int seed : {1, 2}) {
      SCOPED_TRACE(std::to_string(flits) + " flits, seed " + std::to_string(seed));
      const ProgramRun run = starloom("run ring.yaml --trace --force --out ring --seed " + std::to_string(seed) +
                                      " --set traffic.flits=" + std::to_string(flits));
      ASSERT_EQ(run.status, 4);
      behind += run.err.find(" behind packet ") != std::string::npos ? 1 : 0;
      // Flits of a packet that crossed a link, came to a node, and left it.
      std::map<std::tuple<int, int, int>, int> crossed;
      std::map<std::pair<int, int>, int> came, left;
      std::istringstream rows(scratch_.read("ring/trace.csv"));
      std::string line;
      for (std::getline(rows, line); std::getline(rows, line);) {
        std::vector<std::string> cell;
        std::istringstream cells(line);
        for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
        if (cell[1] == "inject") ++came[{std::stoi(cell[4]), std::stoi(cell[2])}];
        if (cell[1] == "hop") ++came[{std::stoi(cell[6]), std::stoi(cell[2])}];
        if (cell[1] != "inject") ++left[{std::stoi(cell[4]), std::stoi(cell[2])}];
        if (cell[1] == "hop") ++crossed[{std::stoi(cell[4]), std::stoi(cell[5]), std::stoi(cell[2])}];
      }
      const nlohmann::json cycle = result("ring")["deadlock"]["circle"];
      ASSERT_GE(cycle.size(), 2u);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        ASSERT_TRUE(cycle[i]["port"].is_number() && cycle[i]["channel"] == 0) << cycle[i];
        const int node = cycle[i]["node"], port = cycle[i]["port"], holder = cycle[(i + 1) % cycle.size()]["packet"];
        const int beyond = (node + (port == 0 ? 1 : 7)) % 8;
        const int over = crossed[{node, port, holder}];
        const bool in_buffer = over > left[{beyond, holder}], owns = over > 0 && over < flits;
        const bool was_given = over == 0 && came[{node, holder}] > left[{node, holder}];
        EXPECT_TRUE(in_buffer || owns || was_given) << cycle[i] << ", packet " << holder;
        const std::string link = " for link_0" + std::to_string(node) + (port == 0 ? "_plus" : "_minus") + "</title>";
        EXPECT_THAT(scratch_.read("ring/links.svg"), HasSubstr(link));
      }
    }
  EXPECT_GT(behind, 0);
}

TEST_F(Commands, InterruptedRunsAreWholeOnDisk) {
  const std::string endless =
      "run e.yaml --quiet --no-referee --out a --set 'traffic={pattern: uniform, rate: 0.01, "
      "warmup: 0, measure: 1000000000, drain: 0}'";
  // The signal comes when the temporary folder shows that the run has begun.
  const ProgramRun run =
      starloom(endless,
               "( for i in $(seq 600); do ls -d a.partial-* >/dev/null 2>&1 && break; sleep 0.1; done; sleep 0.5; "
               "kill -INT $$ ) & ");
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, StartsWith("e.yaml: interrupted: "));
  EXPECT_EQ(result("a")["outcome"], "interrupted");
  EXPECT_TRUE(exists("a/packets.csv"));
}

// The run says so, too, and whether queues grew to the end: with enough packets they did.
TEST_F(Commands, RunWarnsOfTasksThatNeedTooMuch) {
  scratch_.write("g.yaml",
                 "tasks: [a, b, c]\nedges: [{from: a, to: b, bandwidth: 8000}, {from: a, to: c, bandwidth: 12000}]\n");
  const std::string options =
      "run e.yaml --force --out app --set 'network.shape=[1, 4]' --set 'traffic={pattern: application, file: g.yaml, "
      "steps: 2000, mapping: [0, 1, 3]}'";
  const ProgramRun over = starloom(options);
  EXPECT_EQ(over.status, 0) << over.err;
  EXPECT_THAT(over.err, HasSubstr("e.yaml: warning: link_r00_c00_east needs 125 % of its capacity\n"
                                  "e.yaml: warning: lower traffic.scale or units.clock_ns, raise units.flit_bytes, or "
                                  "change the placement of tasks (traffic.mapping)\n"));
  EXPECT_EQ(result("app")["outcome"], "completed");
  EXPECT_EQ(result("app")["saturated"], true);
  EXPECT_TRUE(result("app")["saturation"].is_null());
  const ProgramRun below = starloom(options + " --set traffic.scale=0.8");
  EXPECT_EQ(below.err, "");
  EXPECT_EQ(result("app")["saturated"], false);
}

TEST_F(Commands, TasksAreSeen) {
  scratch_.write("g.yaml", "tasks: [cam, filter]\nedges: [{from: cam, to: filter, bandwidth: 8000}]\n");
  const std::string options =
      " --set 'network.shape=[1, 3]' --set 'traffic={pattern: application, file: g.yaml, steps: 20, mapping: [2, 0]}'";
  const ProgramRun run = starloom("run e.yaml --out tasks" + options);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(result("tasks")["application"]["placement"], nlohmann::json::parse("[2, 0]"));
  EXPECT_EQ(result("tasks")["experiment"]["traffic"]["mapping"], nlohmann::json::parse("[2, 0]"));
  EXPECT_THAT(run.out,
              HasSubstr("  flows         link_r00_c01_west, 10 flits, 45.5 %: cam -> filter, 10 flits, 45.5 %\n"
                        "                link_r00_c02_west, 10 flits, 45.5 %: cam -> filter, 10 flits, 45.5 %\n"));
  EXPECT_THAT(scratch_.read("tasks/links.svg"), HasSubstr("cam -&gt; filter, 10 flits, 45.5 %"));
  EXPECT_THAT(scratch_.read("tasks/links.svg"), HasSubstr("<title>node_r00_c02, cam</title>"));
  EXPECT_THAT(starloom("draw e.yaml" + options).out, HasSubstr(">filter</text>"));
  EXPECT_EQ(starloom("run e.yaml --quiet --out none").status, 0);
  EXPECT_FALSE(result("none").contains("application"));
}

// The summary of a bad end begins with its cause, says if the file expects it, and has no rows about deliveries that
// there were not.
TEST_F(Commands, SaysThatABadEndWasExpected) {
  const std::string ring =
      "run e.yaml --force --out bad --set 'network={topology: torus, shape: [5]}' --set 'routing={algorithm: "
      "vc-wormhole, channels: 1, buffer: 1, function: dimension-order-plain}' --set 'traffic={pattern: tornado, flits: "
      "4}'";
  const ProgramRun bad = starloom(ring);
  EXPECT_EQ(bad.status, 4);
  EXPECT_THAT(bad.out, StartsWith("deadlock (NOT expected): packets are undelivered and no flit can move again\n"));
  for (const char* row : {"\n  throughput", "\n  latency", "\n  in network", "\n  last delivery"})
    EXPECT_THAT(bad.out, testing::Not(HasSubstr(row)));
  const ProgramRun met = starloom(ring + " --set expect.outcome=deadlock");
  EXPECT_EQ(met.status, 0);
  EXPECT_THAT(met.err, StartsWith("e.yaml: deadlock, as expected: "));
  EXPECT_THAT(met.out, StartsWith("deadlock (as expected): packets "));
}

// The pictures say what the result says.
TEST_F(Commands, PicturesShowTheRun) {
  const std::string options = " --quiet --set traffic.pattern=random-permutation --set network.shape=[5,6] --out ";
  ASSERT_EQ(starloom("run e.yaml" + options + "a").status, 0);
  std::int64_t hops = 0, most = 0, packets = 0;
  const XmlElement links = parse_xml(scratch_.read("a/links.svg")), latency = parse_xml(scratch_.read("a/latency.svg"));
  for (const XmlElement* use : links.all("use")) {
    const std::string& label = use->children.at(0).text;
    if (label.rfind("link_", 0) != 0) continue;
    const std::int64_t load = std::stoll(label.substr(label.find(' ')));
    hops += load;
    most = std::max(most, load);
  }
  EXPECT_EQ(result("a")["links"]["flit_hops"], hops);
  EXPECT_EQ(result("a")["links"]["max_load"], most);
  for (const XmlElement* bar : latency.all("rect"))
    if (!bar->children.empty()) {
      const std::string& label = bar->children[0].text;
      packets += std::stoll(label.substr(label.find(':') + 1));
    }
  EXPECT_EQ(result("a")["packets"]["delivered"], packets);
  // A replaced result leaves no picture of the earlier one.
  ASSERT_EQ(starloom("run e.yaml --force --seed 2" + options + "b").status, 0);
  ASSERT_EQ(starloom("run e.yaml --force --seed 2" + options + "a").status, 0);
  for (const char* name : {"/links.svg", "/latency.svg"})
    EXPECT_EQ(scratch_.read(std::string("a") + name), scratch_.read(std::string("b") + name));
}

// Every link has one writer and one reader, and the netlist says which.
TEST_F(Commands, NetlistListsModulesPortsAndBindings) {
  ASSERT_EQ(starloom("run e.yaml --quiet --dump-netlist --set network.shape=[2,3]").status, 0);
  const auto netlist = nlohmann::json::parse(scratch_.read("out/e/netlist.json"));
  std::map<std::string, int> modules, writers, readers, bound;
  for (const auto& instance : netlist["instances"]) ++modules[instance["module"].get<std::string>()];
  EXPECT_EQ(modules, (std::map<std::string, int>{{"Fabric", 1}, {"FlitBuffer", 14}, {"Link", 14}, {"RouterNode", 6}}));
  std::map<std::string, std::string> direction;
  const auto word = [](const nlohmann::json& entry, const char* key) { return entry.at(key).get<std::string>(); };
  for (const auto& port : netlist["ports"]) direction[word(port, "name")] = word(port, "direction");
  EXPECT_EQ(direction.size(), 28u);
  for (const auto& binding : netlist["bindings"]) {
    ++bound[word(binding, "port")];
    ++(direction.at(word(binding, "port")) == "out" ? writers : readers)[word(binding, "channel")];
  }
  EXPECT_EQ(bound.size(), 28u);
  EXPECT_EQ(writers.size(), 14u);
  EXPECT_EQ(readers, writers);
  EXPECT_EQ(netlist["bindings"][0].dump(), R"({"channel":"link_r00_c00_east","port":"node_r00_c00.out[0]"})");
  EXPECT_EQ(starloom("draw e.yaml --format json --set network.shape=[2,3]").out, scratch_.read("out/e/netlist.json"));
}

TEST_F(Commands, DrawShowsNodesLinksAndBuffers) {
  const ProgramRun run = starloom("draw e.yaml --set 'network={topology: torus, shape: [4,3]}'");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  std::map<std::string, int> shown;
  const XmlElement picture = parse_xml(run.out);
  for (const XmlElement* use : picture.all("use")) ++shown[use->children.at(0).text];
  EXPECT_EQ(shown.size(), 12u + 48u + 48u);
  EXPECT_EQ(shown.count("link_a03_02_plus1 from node_a03_02 to node_a00_02"), 1u);
  EXPECT_EQ(shown.count("node_a03_02"), 1u);
  EXPECT_EQ(shown.count("node_a03_02.buffer_minus2_v0"), 1u);
  EXPECT_FALSE(exists("out"));

  // Those of the local ports hide no others.
  std::set<std::pair<std::string, std::string>> places;
  const XmlElement routers =
      parse_xml(starloom("draw e.yaml --set 'routing={algorithm: vc-wormhole, channels: 2}'").out);
  for (const XmlElement* use : routers.all("use"))
    if (use->children.at(0).text.find(".buffer_") != std::string::npos)
      places.emplace(use->attributes.at("x"), use->attributes.at("y"));
  EXPECT_EQ(places.size(), 2u * (48 + 16));

  const ProgramRun large = starloom("draw e.yaml --set network.shape=[60,70] --set routing.algorithm=deflection");
  EXPECT_EQ(large.status, 0);
  EXPECT_LT(large.out.size(), 400'000u);
  EXPECT_THAT(large.out, HasSubstr("4200 nodes, 16540 links, 0 flit buffers; 256 nodes are shown"));
}

TEST_F(Commands, ExplainSaysWhatKeysMean) {
  const ProgramRun run = starloom("explain limits.quiet");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("limits.quiet\n  meaning  "));
  EXPECT_THAT(starloom("explain").out, StartsWith("Keys of an experiment: "));
  EXPECT_THAT(
      starloom("explain fat-tree").out,
      StartsWith("fat-tree: a k-ary n-tree: k^n processors below n levels of k^(n-1) switches (network.topology)\n\n"
                 "network."));
  EXPECT_THAT(starloom("explain --markdown").out, StartsWith("# Keys of an experiment file\n"));
}

TEST_F(Commands, ListForPrograms) {
  const ProgramRun run = starloom("list --json");
  EXPECT_EQ(run.status, 0);
  const auto list = nlohmann::json::parse(run.out);
  const auto named = [&list](const char* table, const std::string& name) {
    for (const auto& entry : list[table])
      if (entry["name"] == name) return entry;
    return nlohmann::json();
  };
  EXPECT_EQ(named("algorithms", "nearest-ancestor"),
            nlohmann::json::parse(R"({"name": "nearest-ancestor", "needs": ["fat-tree"], "topologies": ["fat-tree"],
              "storage": "store-and-forward", "keys": ["bound"]})"));
  EXPECT_EQ(named("algorithms", "deflection")["topologies"], nlohmann::json({"mesh", "torus"}));
  EXPECT_EQ(named("algorithms", "greedy")["needs"], nlohmann::json({"connected"}));
  for (const auto& pattern : list["patterns"]) EXPECT_EQ(pattern.size(), 2u);
  EXPECT_EQ(named("topologies", "fat-tree"),
            nlohmann::json::parse(R"({"name": "fat-tree", "offers": ["fat-tree", "connected"],
              "keys": ["arity", "levels", "link_latency"]})"));
  EXPECT_EQ(named("topologies", "pops")["offers"], nlohmann::json({"pops"}));
  EXPECT_EQ(named("functions", "adaptive"),
            nlohmann::json::parse(R"({"name": "adaptive", "needs": ["mesh", "torus", "ring", "concentrated-mesh"],
              "keys": []})"));
  EXPECT_EQ(named("functions", "up-down")["keys"], nlohmann::json({"root", "spread"}));
}

// A section of nulls means that no packet was measured; null means that it cannot be.
TEST_F(Commands, LatenciesOfNoPacketsAreNull) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n");
  const std::string run = "run e.yaml --quiet --force --set 'traffic={pattern: packets, file: p.csv}' --set routing=";
  ASSERT_EQ(starloom(run + "'{algorithm: vc-wormhole}'").status, 0);
  const auto routers = result("out/e");
  EXPECT_TRUE(routers["latency"].at("mean").is_null());
  EXPECT_EQ(routers["network_latency"], routers["latency"]);
  ASSERT_EQ(starloom(run + "'{algorithm: greedy}'").status, 0);
  EXPECT_TRUE(result("out/e")["network_latency"].is_null());
}

TEST_F(Commands, ShowDrawsAGrid) {
  scratch_.write("p.txt", "8 - - - - - - - 3\n");
  ASSERT_EQ(starloom("run e.yaml --trace --quiet --set network.shape=[3,3] "
                     "--set 'traffic={pattern: file, file: p.txt}'")
                .status,
            0);
  EXPECT_EQ(starloom("show out/e --step 1").out,
            "step 1 of mesh 3 x 3: 2 flits on links; 0 packets in buffers, 0 waiting in sources\n"
            "\n"
            "  [.]  [.] >[.]\n"
            "\n"
            "  [.]  [.]  [.]\n"
            "\n"
            "  [.]< [.]  [.]\n"
            "\n"
            "on links:\n"
            "  link_r00_c01_east: packet 0 flit 0 to node_r00_c02\n"
            "  link_r02_c01_west: packet 1 flit 0 to node_r02_c00\n");
  const ProgramRun after = starloom("show out/e --step 9");
  EXPECT_EQ(after.status, 2);
  EXPECT_EQ(after.err, "--step 9: the trace ends in step 4; choose an earlier step\n");
}

// For a late step only the end of a long trace is read; a compressed one is read completely.
TEST_F(Commands, ShowDrawsLateStepsOfLongTraces) {
  const std::string run = "run e.yaml --trace --quiet --force --set ";
  for (const std::string experiment :
       {"'routing={algorithm: vc-wormhole, channels: 2, buffer: 2}' --set network.shape=[8,8] --set 'traffic={pattern: "
        "uniform, rate: 0.2, flits: 3, warmup: 0, measure: 2000, drain: 0}'",
        "'network={topology: pops, group_size: 64, groups: 64}' --set 'routing={algorithm: randomized}'"}) {
    ASSERT_THAT(starloom(run + experiment).status, testing::AnyOf(0, 4));
    ASSERT_GT(scratch_.read("out/e/trace.csv").size(), 1u << 21);
    const auto last = result("out/e").at("steps").get<std::int64_t>();
    const std::int64_t steps[] = {last - 1, last - 2, last / 2, 1};
    std::vector<std::string> plain;
    for (const std::int64_t step : steps) {
      plain.push_back(starloom("show out/e --step " + std::to_string(step)).out);
      EXPECT_NE(plain.back(), "");
    }
    ASSERT_EQ(std::system(("gzip " + scratch_.file("out/e/trace.csv").string()).c_str()), 0);
    std::vector<std::string> packed;
    for (const std::int64_t step : steps) packed.push_back(starloom("show out/e --step " + std::to_string(step)).out);
    EXPECT_EQ(plain, packed);
  }
}

// A cycle is drawn from the step on in which it is closed, and the message depends on the trace. Steps before and
// after a window are unknown.
TEST_F(Commands, WindowsOfTracesAreToldAsSuch) {
  const std::string run = "run e.yaml --quiet --force --trace ", alone = "; run with --trace, without FROM:TO";
  ASSERT_EQ(starloom(run + "--out whole").status, 0);
  ASSERT_EQ(starloom(run + "0:3 --out part").status, 0);
  EXPECT_EQ(starloom("show part --step 2").out, starloom("show whole --step 2").out);
  refuses("show part --step 3", 2, "--step 3: the trace covers only part of the run, steps 0 to 2" + alone);
  refuses("verify part", 2,
          "part: the trace covers only part of the run, steps 0 to 2; verify needs the whole run" + alone);
  ASSERT_EQ(starloom(run + "3:5 --out part").status, 0);
  for (const char* step : {"1", "4"})
    refuses(std::string("show part --step ") + step, 2,
            std::string("--step ") + step + ": the trace covers only part of the run, steps 3 to 4" + alone);
  ASSERT_EQ(starloom(run + "3: --out part").status, 0);
  refuses("verify part", 2,
          "part: the trace covers only part of the run, steps 3 to the end; verify needs the whole run" + alone);
  // A window that is as long as the run, and an earlier one that is replaced.
  ASSERT_EQ(starloom(run + "0:7 --out part").status, 0);
  EXPECT_EQ(scratch_.read("part/trace.csv"), scratch_.read("whole/trace.csv"));
  EXPECT_EQ(starloom("verify part").status, 0);
  // A row that is missing in a trace of the whole run is a broken rule.
  std::string trace = scratch_.read("part/trace.csv");
  scratch_.write("part/trace.csv", trace.substr(0, trace.find("\n3,") + 1));
  EXPECT_EQ(starloom("verify part").status, 3);
}

TEST_F(Commands, ShowDrawsTheCircleOfADeadlock) {
  const std::string ring =
      "run e.yaml --force --quiet --set network='{topology: torus, shape: [4]}' --set 'routing={algorithm: "
      "probe-hold}' "
      "--set 'traffic={pattern: shift, offset: 2, flits: 2}'";
  EXPECT_THAT(starloom_with_probes(ring).err,
              HasSubstr("  to see it: run with --trace, then `starloom show out/e --step 0`\n"));
  EXPECT_THAT(starloom_with_probes(ring + " --trace").err, HasSubstr("  to see it: `starloom show out/e --step 0`\n"));
  EXPECT_THAT(starloom("show out/e --step 0").out,
              StartsWith("step 0 of torus 4: 4 flits on links; 0 packets in buffers, 4 waiting in sources\n"
                         "\n"
                         "  (.+1) *(.+1) *(.+1) *(.+1)*\n"
                         "\n"
                         "  [n+w]: n packets in buffers, w waiting in the source\n"
                         "\n  ( ): node with a packet of the cycle; *: link that one of them waits for\n"
                         "\n"
                         "a cycle of waiting packets; each waits for what the next one holds:\n"
                         "  .-> packet 3 at node_a00 waits for link_a00_plus1\n"
                         "  |   packet 0 at node_a01 waits for link_a01_plus1\n"
                         "  |   packet 1 at node_a02 waits for link_a02_plus1\n"
                         "  '-- packet 2 at node_a03 waits for link_a03_plus1\n"
                         "\non links:\n"));
  EXPECT_THAT(scratch_.read("out/e/links.svg"), HasSubstr("packet 0 waits for link_a01_plus1"));

  const std::string routers =
      "run e.yaml --force --quiet --trace --set network='{topology: torus, shape: [4, 3]}' --set 'routing={algorithm: "
      "vc-wormhole, function: dimension-order-plain, buffer: 1}' --set 'traffic={pattern: shift, offset: 6, flits: 8}'";
  const std::string told = starloom(routers).err;
  EXPECT_THAT(told, ContainsRegex("`starloom show out/e --step [1-9]"));
  const std::string step = told.substr(told.rfind("--step ") + 7, told.rfind('`') - told.rfind("--step ") - 7);
  const std::string last = starloom("show out/e --step " + step).out;
  EXPECT_THAT(last, HasSubstr("*"));
  EXPECT_THAT(last, HasSubstr("channel 0\n"));
  const std::string earlier = starloom("show out/e --step " + std::to_string(std::stoi(step) - 1)).out;
  EXPECT_THAT(earlier, Not(HasSubstr("circle")));
  EXPECT_THAT(starloom("show out/e --step 900").out,
              StartsWith("step 900 of torus 4 x 3, after the end of the trace in step 4: 0 flits on links; 12 packets "
                         "in buffers, 12 waiting in sources\n"));
}

// Links around a torus leave at its edges.
TEST_F(Commands, ShowDrawsLinksAroundATorus) {
  scratch_.write("p.txt", "2 - - - - 3 - - -\n");
  ASSERT_EQ(starloom("run e.yaml --trace --quiet --force --set network='{topology: torus, shape: [3, 3]}' "
                     "--set 'traffic={pattern: file, file: p.txt}'")
                .status,
            0);
  EXPECT_THAT(starloom("show out/e --step 0").out,
              HasSubstr("\n <[.]  [.]  [.]\n\n  [.]  [.]  [.]>\n\n  [.]  [.]  [.]\n"));
  scratch_.write("p.txt", "6 - - - - - - - 2\n");
  ASSERT_EQ(starloom("run e.yaml --trace --quiet --force --set network='{topology: torus, shape: [3, 3]}' "
                     "--set 'traffic={pattern: file, file: p.txt}'")
                .status,
            0);
  EXPECT_THAT(starloom("show out/e --step 0").out,
              HasSubstr("\n   ^\n  [.]  [.]  [.]\n\n  [.]  [.]  [.]\n\n  [.]  [.]  [.]\n              v\n"));
}

// Two packets for one link: the other one waits. A packet created later is not there yet.
// The head of packet 0 holds in the register of its link while packet 1 is on the link that both want.
TEST_F(Commands, ShowLeavesWormsThatHoldOnTheirLinks) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,2\n0,1,3,2\n");
  ASSERT_EQ(starloom_with_probes("run e.yaml --trace --quiet --force --set 'traffic={pattern: packets, file: p.csv}' "
                                 "--set 'routing={algorithm: probe-hold}' --set network.shape=[2,2]")
                .status,
            0);
  EXPECT_EQ(starloom("show out/e --step 1").out,
            "step 1 of mesh 2 x 2: 2 flits on links; 0 packets in buffers, 1 waiting in sources\n"
            "\n"
            "  [.+1] >[.  ]\n"
            "           v\n"
            "  [.  ]  [.  ]\n"
            "\n"
            "  [n+w]: n packets in buffers, w waiting in the source\n"
            "\n"
            "on links:\n"
            "  link_r00_c00_east: packet 0 flit 0 to node_r00_c01\n"
            "  link_r00_c01_south: packet 1 flit 1 to node_r01_c01\n"
            "\n"
            "in nodes:\n"
            "  node_r00_c00: packet 0 partly waiting in the source\n");
}

TEST_F(Commands, ShowCountsQueues) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,2,1\n0,0,1,1\n1,2,0,1\n");
  const std::string run = "run e.yaml --trace --quiet --force --set 'traffic={pattern: packets, file: p.csv}' ";
  ASSERT_EQ(starloom(run + "--set network.shape=[3,1]").status, 0);
  EXPECT_EQ(starloom("show out/e --step 0").out,
            "step 0 of mesh 3 x 1: 1 flit on links; 1 packet in buffers, 0 waiting in sources\n"
            "\n"
            "  [1]\n"
            "    v\n"
            "  [.]\n"
            "\n"
            "  [.]\n"
            "\n"
            "on links:\n"
            "  link_r00_c00_south: packet 0 flit 0 to node_r01_c00\n"
            "\n"
            "in nodes:\n"
            "  node_r00_c00: packet 1 in buffers\n");
  ASSERT_EQ(starloom(run + "--set network.shape=[3]").status, 0);
  EXPECT_EQ(starloom("show out/e --step 1").out,
            "step 1 of mesh 3: 3 flits on links; 0 packets in buffers, 0 waiting in sources\n"
            "\n"
            "  [.] >[.]<>[.]\n"
            "\n"
            "on links:\n"
            "  link_a00_plus1: packet 1 flit 0 to node_a01\n"
            "  link_a01_plus1: packet 0 flit 0 to node_a02\n"
            "  link_a02_minus1: packet 2 flit 0 to node_a01\n");
}

}  // namespace
}  // namespace starloom

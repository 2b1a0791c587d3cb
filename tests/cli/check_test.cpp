// SPDX-License-Identifier: Apache-2.0
// The output of `check` about a run.
#include "cli/program_run.hpp"

#include <nlohmann/json.hpp>

namespace starloom {
namespace {

class Check : public ProgramTest {
 protected:
  Check() { scratch_.write("e.yaml", small_experiment); }
  nlohmann::json result(const std::string& folder) const {
    return nlohmann::json::parse(scratch_.read(folder + "/result.json"));
  }
};

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// In a terminal a line names the current stage; the command removes it.
TEST_F(Check, AndRunNameTheirStageOnATerminal) {
  for (const std::string command : {"check e.yaml", "run e.yaml --out o --quiet"}) {
    const std::string line = "cd '" + scratch_.path().string() + "' && script -qec \"'" + program().string() + "' " +
                             command + "\" shown >/dev/null 2>&1 </dev/null";
    EXPECT_EQ(std::system(line.c_str()), 0) << command;
    EXPECT_THAT(scratch_.read("shown"), HasSubstr("\r\x1b[Kanalysing the network and its packets ...\r\x1b[K"))
        << command;
  }
  EXPECT_THAT(starloom("check e.yaml").err, Not(HasSubstr("analysing")));
}

// c (D + 1) + 2 + F - 1 for links of latency 1; over all pairs of a 4 x 4 mesh the mean D is 2.5.
TEST_F(Check, TellsTheLatencyOfRoutersAtZeroLoad) {
  scratch_.write("vc.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: vc-wormhole}\n"
                 "traffic: {pattern: uniform, rate: 0.1, flits: 5, warmup: 10, measure: 20, drain: 90}\n");
  for (const auto& [cycles, latency] :
       std::map<std::string, std::string>{{"3", "16.50"}, {"4", "20.00"}, {"5", "23.50"}})
    EXPECT_THAT(starloom("check vc.yaml --set routing.pipeline=" + cycles).out,
                HasSubstr("zero load     mean latency " + latency + " steps without contention\n"));
}

// Each path counts with its own routers. By hand, on a row of three nodes: 5 steps from a node to itself, 8 to the next
// one, 11 to the one after, and more where the last node is slower.
TEST_F(Check, TellsTheLatencyOfRoutersThatDiffer) {
  const auto latency = [&](const std::string& more) {
    scratch_.write("vc.yaml", "schema: 1\nnetwork: {topology: mesh, shape: [1, 3]" + more +
                                  "}\nrouting: {algorithm: vc-wormhole}\n"
                                  "traffic: {pattern: uniform, rate: 0.1, warmup: 10, measure: 20, drain: 90}\n");
    const std::string text = starloom("check vc.yaml").out;
    const std::string before = "mean latency ";
    return text.substr(text.find(before) + before.size(), 5);
  };
  EXPECT_EQ(latency(""), "7.67 ");
  EXPECT_EQ(latency(", regions: [{nodes: \"*_c02\", stages: {crossbar: 3}}]"), "8.78 ");
  EXPECT_EQ(latency(", clocks: {fast: 1, slow: 2}, regions: [{nodes: \"*_c02\", clock: slow}]"), "10.11");
}

// Each link counts with its own latency, and small buffers stretch packets.
TEST_F(Check, TellsTheLatencyOfUnevenNetworks) {
  scratch_.write(
      "g.yaml",
      "nodes: [{name: a}, {name: b}, {name: c}]\nlinks: [{from: a, to: b, both: true}, {from: b, to: c, both: "
      "true, latency: 64}]\n");
  scratch_.write("vc.yaml",
                 "schema: 1\nnetwork: {topology: graph, file: g.yaml}\nrouting: {algorithm: vc-wormhole, buffer: 8, "
                 "function: shortest}\ntraffic: {pattern: uniform, rate: 0.01, warmup: 10, measure: 20}\n");
  // a to itself 5 steps, to b 8, to c 74; b to c 71.
  EXPECT_THAT(starloom("check vc.yaml").out,
              HasSubstr("  zero load     mean latency 35.67 steps without contention\n"));
  // 16 flits through 8 slots: after the long link the ninth leaves 131 steps after the first. a to b takes 23 steps,
  // b to c 209, c to a 212.
  EXPECT_THAT(starloom("check vc.yaml --set 'traffic={pattern: shift, offset: 1, rate: 0.01, flits: 16, warmup: 10, "
                       "measure: 20}'")
                  .out,
              HasSubstr("  zero load     mean latency 148.00 steps without contention\n"));
  scratch_.write("one.csv", "cycle,source,destination,flits\n0,0,1,1\n");
  EXPECT_THAT(starloom("check vc.yaml --set 'traffic={pattern: packets, file: one.csv}'").out,
              HasSubstr("  at least      8 steps in any run: 8 for the longest path, 1 for the busiest link\n"));
  EXPECT_THAT(starloom("check vc.yaml --set 'network={topology: mesh, shape: [4, 4]}' --set 'routing={algorithm: "
                       "vc-wormhole, function: o1turn, channels: 2, buffer: 1}'")
                  .out,
              HasSubstr("  zero load     mean latency at least 12.50 steps without contention: "));
}

TEST_F(Check, SaysWhatFollows) {
  const ProgramRun run = starloom("check e.yaml");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out,
            "e.yaml: valid\n"
            "  at least      6 steps in any run: 6 for the longest path, 2 for the busiest link\n"
            "  bounds        steps at most 6 by theory\n"
            "  link load     mean 1.333, max 2 flits over link_r00_c01_east\n"
            "  deadlock      none: no packet waits for room in another node\n"
            "  network       mesh 4 x 4, 16 nodes, 48 links, diameter 6; 4 rows, 4 columns\n"
            "  routing       greedy, store-and-forward\n"
            "  traffic       reversal: 16 packets\n"
            "  distance      mean 4.00, max 6\n"
            "  memory        about 18 MB\n"
            "  run time      below a second, an estimate for 64 flit hops\n");
  EXPECT_THAT(
      starloom("check e.yaml --set 'traffic={pattern: uniform, rate: 0.5, warmup: 1, measure: 1, drain: 1}'").out,
      AllOf(HasSubstr("valid\n  link load     mean 0.4167, max 0.5 flits per step over link_r00_c01_east, full at rate "
                      "1\n"),
            HasSubstr("  traffic       uniform: unlimited sources\n")));
  // 16 of 48 links would have to carry 2 flits per step: a quarter of the packets' demand.
  EXPECT_THAT(
      starloom("check e.yaml --set 'traffic={pattern: reversal, rate: 1, warmup: 0, measure: 1000000, drain: 1}'").out,
      AllOf(
          HasSubstr("  memory        about 1938 MB; with --no-packets about 738 MB\n"),
          HasSubstr(", an estimate for 48000000 flit hops; beyond saturation: 4000000 packets remain undelivered\n")));
}

// Packets with random choices have an expected load; adaptive ones have a shared load, and a lower bound.
TEST_F(Check, SaysWhatLoadsMean) {
  const auto load = [this](const std::string& function, const std::string& traffic) {
    return starloom("check e.yaml --set 'routing={algorithm: vc-wormhole, channels: 2, function: " + function + "}'" +
                    traffic)
        .out;
  };
  const std::string uniform = " --set 'traffic={pattern: uniform, rate: 0.5, warmup: 1, measure: 1, drain: 1}'";
  EXPECT_THAT(load("o1turn", uniform), HasSubstr("  link load     mean 0.4167, max 0.5 flits per step over "
                                                 "link_r00_c01_east, averaged over random choices, full at rate 1\n"));
  EXPECT_THAT(load("valiant", ""),
              AllOf(HasSubstr(", averaged over random choices\n"), HasSubstr("steps in any run: the longest path\n")));
  EXPECT_THAT(load("up-down", uniform), HasSubstr(", full at rate "));
  EXPECT_THAT(load("adaptive", uniform),
              ContainsRegex(
                  "  link load     mean 0.4167, max [0-9.]+ flits per step over link_[a-z0-9_]+ if packets choose all "
                  "permitted ports equally often; whatever they choose, some link has at least 0\\.[45][0-9]*; full at "
                  "rate 1 at the latest, at the local port of node_r00_c00\n"));
  scratch_.write("slow.yaml",
                 "nodes: [{name: a}, {name: b}, {name: c}]\nlinks:\n- {from: a, to: b, both: true}\n"
                 "- {from: b, to: c, both: true, interval: 4}\n");
  EXPECT_THAT(load("up-down", uniform + " --set 'network={topology: graph, file: slow.yaml}'"),
              HasSubstr("max 0.3333 flits per step over link_a_port0, full at rate 0.375 over link_b_port1, which "
                        "carries one flit per 4 steps\n"));
  EXPECT_THAT(load("adaptive", ""),
              ContainsRegex("steps in any run: [0-9]+ for the longest path, [0-9]+ for the busiest link\n.*some link "
                            "has at least [0-9.]+\n"));
  // Some link carries a whole number of flits.
  EXPECT_THAT(load("adaptive", " --set 'traffic={pattern: random-permutation, flits: 3}' --set seed=3"),
              ContainsRegex(", 5 for the busiest link\n.*some link has at least 4\\.489\n"));
}

// The load of greedy with functions that depend on the in-port of a packet. A packet from a processor to itself crosses
// no link.
TEST_F(Check, FollowsFunctionsThatAskForThePort) {
  scratch_.write("row.txt", "router 0 node 0 router 1\nrouter 1 node 1 router 2\nrouter 2 node 2\n");
  for (const char* network : {"{topology: mesh, shape: [4, 5]}", "{topology: fat-tree, arity: 2, levels: 3}",
                              "{topology: graph, file: row.txt}"}) {
    const std::string words = "e.yaml --set 'network=" + std::string(network) +
                              "' --set 'routing={algorithm: greedy, function: up-down}' --set traffic.pattern=";
    ASSERT_EQ(starloom("run " + words + "random-permutation --out o --force").status, 0);
    const std::string most = nlohmann::json::parse(scratch_.read("o/result.json"))["links"]["max_load"].dump();
    EXPECT_THAT(starloom("check " + words + "random-permutation").out, HasSubstr(", max " + most + " flits over "));
  }
  EXPECT_THAT(starloom("check e.yaml --set 'network={topology: graph, file: row.txt}' --set 'routing={algorithm: "
                       "vc-wormhole, function: up-down}' --set 'traffic={pattern: uniform, rate: 0.3, measure: 10}'")
                  .out,
              HasSubstr("max 0.3 flits per step over link_00_port0, "));
  // As a run of 50,000 steps has it: 16.4 %.
  EXPECT_THAT(
      starloom("check e.yaml --set 'network={topology: mesh, shape: [4, 5]}' --set 'routing={algorithm: greedy, "
               "function: up-down}' --set 'traffic={pattern: uniform, rate: 0.05, measure: 10}'")
          .out,
      HasSubstr("mean 0.04597, max 0.165 flits per step over link_r01_c03_west, full at rate 0.303\n"));
  // From router 1 a packet goes down to router 5; router 2 on its path would go up and then down, which is shorter.
  scratch_.write(
      "x.txt",
      "router 0 node 0 router 6 router 7 router 8\nrouter 1 node 1 router 2 router 6\nrouter 2 node 2 router 3 "
      "router 7\nrouter 3 node 3 router 4 router 8\nrouter 4 node 4 router 5 router 8\nrouter 5 node 5 router "
      "7\nrouter 6 node 6\nrouter 7 node 7\nrouter 8 node 8\n");
  scratch_.write("x.csv", "cycle,source,destination,flits\n0,1,5,1\n0,2,7,1\n");
  EXPECT_THAT(starloom("check e.yaml --set 'network={topology: graph, file: x.txt}' --set 'routing={algorithm: greedy, "
                       "function: up-down, root: 9}' --set 'traffic={pattern: packets, file: x.csv}'")
                  .out,
              HasSubstr("max 1 flits over "));
  EXPECT_THAT(
      starloom("check e.yaml --set 'network={topology: graph, file: row.txt}' --set 'routing={algorithm: greedy, "
               "function: up-down}' --set 'traffic={pattern: uniform, rate: 0.3, measure: 10}'")
          .out,
      HasSubstr("  link load     mean 0.2, max 0.2 flits per step over link_00_port0, full at rate 1.5\n"));
}

// A local port passes one flit per step, a buffer as many as its slots allow, a channel one packet per head delay.
TEST_F(Check, KnowsWhatLocalPortsAndBuffersCarry) {
  const auto load = [this](const std::string& network, const std::string& routing, const std::string& traffic) {
    return starloom("check e.yaml --set 'network={" + network + "}' --set 'routing={" + routing +
                    "}' --set 'traffic={" + traffic + ", warmup: 1, measure: 1, drain: 1}'")
        .out;
  };
  const std::string pair = "topology: mesh, shape: [1, 2]", turned = "pattern: reversal, rate: 0.1";
  const auto routing = [](int channels, int buffer, const std::string& more = "") {
    return "algorithm: vc-wormhole, channels: " + std::to_string(channels) + ", buffer: " + std::to_string(buffer) +
           more;
  };
  const std::string hot = "pattern: hot-spot, targets: [27], rate: 0.02";
  EXPECT_THAT(
      load("topology: mesh, shape: [8, 8]", routing(2, 8), hot),
      AllOf(HasSubstr("full at rate 0.01562 at the local port of node_r03_c03\n"), HasSubstr("; beyond saturation: ")));
  EXPECT_THAT(load("topology: mesh, shape: [8, 8]", "algorithm: greedy", hot), HasSubstr(", full at rate 0.03125\n"));
  EXPECT_THAT(load("topology: concentrated-mesh, shape: [8, 8], concentration: 1", routing(2, 8), hot),
              HasSubstr(", full at rate 0.01562\n"));
  // The 32 nodes below the target send half of their packets over the link, and half of the others in 4 of 64 cases.
  EXPECT_THAT(load("topology: mesh, shape: [8, 8]", "algorithm: greedy", hot + ", share: 0.5"),
              HasSubstr("max 0.34 flits per step over link_r04_c03_north, full at rate 0.05882\n"));
  // The mean of 23 steps to the target and 26.75 to all nodes.
  EXPECT_THAT(load("topology: mesh, shape: [8, 8]", routing(1, 2), hot + ", share: 0.5, flits: 4"),
              HasSubstr("mean latency 24.88 steps without contention"));
  EXPECT_THAT(load("topology: mesh, shape: [6, 6]", routing(1, 1), "pattern: uniform, rate: 0.1"),
              HasSubstr(", full at rate 0.1333 over link_r00_c02_east, whose buffers take 1 flit in 5 steps\n"));
  EXPECT_THAT(load(pair, routing(1, 1), turned), HasSubstr(", full at rate 0.2 over link_r00_c00_east, whose"));
  EXPECT_THAT(load(pair, routing(1, 2), turned), HasSubstr(", full at rate 0.4 over link_r00_c00_east, whose"));
  EXPECT_THAT(load(pair, routing(2, 2), turned), HasSubstr(", full at rate 0.8 over link_r00_c00_east, whose"));
  EXPECT_THAT(load(pair, routing(1, 8), turned), HasSubstr(", full at rate 1\n"));
  EXPECT_THAT(load(pair, routing(1, 8, ", pipeline: 5"), turned),
              HasSubstr(", full at rate 0.3333 over link_r00_c00_east, whose channel takes a packet in 3 steps\n"));
  EXPECT_THAT(load(pair, routing(1, 8, ", pipeline: 5"), turned + ", flits: 4"),
              HasSubstr(", full at rate 0.6667 over link_r00_c00_east, whose channel takes a packet in 6 steps\n"));
  EXPECT_THAT(
      load(pair, routing(1, 1), "pattern: uniform, rate: 0.1"),
      HasSubstr(", full at rate 0.2 at the local port of node_r00_c00, whose buffers take 1 flit in 5 steps\n"));
  // No source sends more than one flit per step.
  EXPECT_THAT(load(pair, routing(1, 8), "pattern: uniform, rate: 0.1"),
              HasSubstr(", full at rate 1 at the local port of node_r00_c00\n"));
  EXPECT_THAT(load(pair, routing(1, 8), "pattern: identity, rate: 0.1"),
              HasSubstr("  link load     none, full at rate 1 at the local port of node_r00_c00\n"));
  EXPECT_THAT(load("topology: mesh, shape: [101, 101]", routing(1, 8), "pattern: uniform, rate: 0.1"),
              HasSubstr("not computed for more than 10000 nodes; full at rate 1 at the latest, at the local port of "
                        "node_r000_c000\n"));
  // Requests and replies of three flits: each node sends and receives four flits for a request.
  EXPECT_THAT(load(pair, routing(2, 8), "pattern: uniform, rate: 0.1, reply: {flits: 3, service: 1, channels: 1}"),
              HasSubstr(", full at rate 0.25 at the local port of node_r00_c00\n"));
  // Half of the channels are for packets that have crossed the dateline, which none have on some links.
  EXPECT_THAT(load("topology: torus, shape: [1, 5]", routing(4, 1), "pattern: tornado, rate: 0.1"),
              HasSubstr(", full at rate 0.2 over link_a00_01_plus2, whose buffers take 2 flits in 5 steps\n"));
  EXPECT_THAT(
      load("topology: mesh, shape: [8, 8]", routing(2, 2, ", function: adaptive"), "pattern: uniform, rate: 0.1"),
      ContainsRegex("some link has at least 0\\.[0-9]+, and is full at rate 0\\.4[0-9]* at the latest: its "
                    "buffers take 4 flits in 5 steps\n"));
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,40\n0,1,3,40\n0,2,3,40\n");
  const auto least = [this](const std::string& keys) {
    return starloom("check e.yaml --set 'network.shape=[1, 4]' --set 'routing={algorithm: vc-wormhole, " + keys +
                    "}' --set 'traffic={pattern: packets, file: p.csv}'")
        .out;
  };
  EXPECT_THAT(least("buffer: 8"),
              HasSubstr("  at least      120 steps in any run: 53 for the longest path, 120 for the "
                        "busiest link\n"));
  EXPECT_THAT(least("buffer: 1"), HasSubstr(" for the longest path, 596 for the busiest link\n"));
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,40\n100,1,2,1\n");
  EXPECT_THAT(least("buffer: 8"),
              HasSubstr("  at least      108 steps in any run: 108 for the last packet that is created, 41 for the "
                        "busiest link\n"));
}

// Edges of 0.5, 0.75 and 2 flits per step on a line of four nodes.
TEST_F(Check, WarnsOfTasksThatNeedTooMuch) {
  scratch_.write("g.yaml",
                 "tasks: [a, b, c]\nedges: [{from: a, to: b, bandwidth: 8000}, {from: a, to: c, bandwidth: 12000}]\n");
  const std::string options =
      " --set 'network.shape=[1, 4]' --set 'traffic={pattern: application, file: g.yaml, steps: 100, mapping: [0, 1, "
      "3]}'";
  EXPECT_THAT(
      starloom("check e.yaml" + options).out,
      AllOf(HasSubstr("  flows         link_r00_c00_east, 125 %: a -> c, 75 %; a -> b, 50 %\n"
                      "                link_r00_c01_east, 75 %: a -> c, 75 %\n"
                      "                link_r00_c02_east, 75 %: a -> c, 75 %\n"),
            HasSubstr("e.yaml: valid; has warnings\n"
                      "  warning       link_r00_c00_east needs 125 % of its capacity\n"
                      "                lower traffic.scale or units.clock_ns, raise units.flit_bytes, or change "
                      "the placement of tasks (traffic.mapping)\n")));
  EXPECT_THAT(
      starloom("check e.yaml" + options + " --set traffic.scale=2").out,
      HasSubstr("  warning       the edge a -> c needs 150 % of a link\n  warning       link_r00_c00_east needs 250 % "
                "of its capacity\n  warning       link_r00_c01_east needs 150 % of its capacity\n"));
  EXPECT_THAT(starloom("check e.yaml" + options + " --set traffic.scale=0.8").out, Not(HasSubstr("warning")));
  // Two links lead to task b, each of them not full; one flit per step reaches its processor.
  scratch_.write("g.yaml",
                 "tasks: [a, b, c]\nedges: [{from: a, to: b, bandwidth: 8000}, {from: c, to: b, bandwidth: 12000}]\n");
  const std::string routers = " --set 'routing={algorithm: vc-wormhole, buffer: ";
  EXPECT_THAT(starloom("check e.yaml" + options + routers + "8}' --set 'traffic.mapping=[0, 1, 3]'").out,
              HasSubstr("  warning       the local port of node_r00_c01 needs 125 % of its capacity\n"));
  EXPECT_THAT(starloom("check e.yaml" + options + routers + "3}' --set 'traffic.mapping=[0, 1, 3]'").out,
              HasSubstr("  warning       link_r00_c03_west needs 125 % of its capacity\n  warning       the local port "
                        "of node_r00_c01 needs 208 % of its capacity\n"));
  EXPECT_THAT(starloom("check e.yaml" + options + " --set 'traffic.mapping=[0, 1, 3]'").out, Not(HasSubstr("warning")));
}

// Replies need no channels of their own; what a circuit with a finite memory would do then is said.
TEST_F(Check, NamesTheDeadlockOfAProtocol) {
  const std::string options =
      " --set 'routing={algorithm: vc-wormhole, channels: 2}' --set 'traffic={pattern: uniform, rate: 0.1, reply: "
      "{flits: 4, service: 3}, warmup: 100, measure: 500}'";
  EXPECT_THAT(
      starloom("check e.yaml" + options).out,
      AllOf(StartsWith("e.yaml: valid; requests and replies share channels\n"), HasSubstr("  deadlock      acyclic: "),
            HasSubstr("  protocol      may-deadlock (protocol): requests and replies share channels; "),
            HasSubstr("requests from node_r00_c00 to node_r00_c01 and back could wait for each other forever.")));
  EXPECT_THAT(starloom("check e.yaml" + options + " --set traffic.reply.channels=1").out,
              AllOf(StartsWith("e.yaml: valid\n"), Not(HasSubstr("protocol"))));
  EXPECT_EQ(starloom("run e.yaml --trace --out shared" + options).status, 0);
  EXPECT_EQ(result("shared")["outcome"], "completed");
  EXPECT_FALSE(result("shared")["experiment"]["traffic"]["reply"].contains("channels"));
  EXPECT_EQ(starloom("verify shared").status, 0);
}

// Classes of traffic with channels of their own do not share them.
TEST_F(Check, NamesTheDeadlockOfAProtocolOfClasses) {
  const std::string options =
      " --set 'routing={algorithm: vc-wormhole, channels: 2}' --set 'traffic={warmup: 100, measure: 500, classes: "
      "[{name: ask, channels: [0, 0], pattern: uniform, rate: 0.05, reply: {class: answer, flits: 4, service: 3}}, "
      "{name: answer, channels: [1, 1]}]}'";
  const std::string apart = starloom("check e.yaml" + options).out;
  EXPECT_THAT(apart,
              AllOf(StartsWith("e.yaml: valid\n"), Not(HasSubstr("protocol")),
                    HasSubstr("  zero load     ask: mean latency 12.50 steps without contention\n"),
                    HasSubstr("                answer, replies: mean latency 15.50 steps without contention\n")));
  // All requests go to node 3, and all replies from there to their sources.
  EXPECT_THAT(starloom("check e.yaml" + options +
                       " --set network.shape=[1,4] --set traffic.classes.ask.pattern=hot-spot --set "
                       "traffic.classes.ask.targets=[3]")
                  .out,
              AllOf(HasSubstr("  link load     mean 0.25, max 0.6 flits per step over link_r00_c03_west, full at rate "
                              "0.05882 at the local port of node_r00_c03\n"),
                    HasSubstr("  zero load     ask: mean latency ")));
  EXPECT_THAT(starloom("check e.yaml" + options + " --set traffic.classes.answer.channels=[0,1]").out,
              AllOf(StartsWith("e.yaml: valid; requests and replies share channels\n"),
                    HasSubstr("any number of requests. The keys channels of the classes separate them\n")));
  EXPECT_THAT(starloom("check e.yaml" + options +
                       " --set traffic.classes.answer.channels=[0,1] --set traffic.classes.ask.reply.places=2")
                  .out,
              AllOf(StartsWith("e.yaml: valid; can deadlock; requests and replies share channels\n"),
                    HasSubstr("a node accepts at most 2 requests of\n                class ask before it has sent the "
                              "replies: requests from node_r00_c00 to node_r00_c01 and back can\n")));
}

// On a ring the routing function closes a circle, and the run does end in it; on a mesh it does not.
// The first line has the part that a reader must not overlook.
TEST_F(Check, BeginsWithItsVerdict) {
  const std::string ring =
      "check e.yaml --set 'network={topology: torus, shape: [4, 4]}' --set 'routing={algorithm: vc-wormhole, function: "
      "dimension-order-plain}' ";
  EXPECT_THAT(starloom(ring).out, StartsWith("e.yaml: valid; can deadlock\n"));
  EXPECT_THAT(starloom("check e.yaml").out, StartsWith("e.yaml: valid\n"));
  const std::string expected = starloom("check e.yaml --set expect.latency.men=3").out;
  EXPECT_THAT(expected, StartsWith("e.yaml: valid; an expectation cannot be met\n"));
  EXPECT_THAT(
      expected,
      HasSubstr("  warning       expect.latency.men: result.json has no such metric (did you mean latency.mean?)"));
}

TEST_F(Check, KnowsThatBubblesKeepRingsFreeOfDeadlock) {
  const ProgramRun run = starloom(
      "check e.yaml --set 'network={topology: torus, shape: [4, 4]}' --set 'routing={algorithm: vc-wormhole, function: "
      "dimension-order-plain, flow: bubble, buffer: 8}' --set 'traffic={pattern: shift, offset: 3, flits: 4}'");
  EXPECT_THAT(run.out, StartsWith("e.yaml: valid\n"));
  EXPECT_THAT(run.out, HasSubstr("  deadlock      acyclic by the bubble rule: 64 links with "));
  EXPECT_THAT(run.out, HasSubstr("which a packet of up to 4 flits enters only where it leaves room for another\n"));
}

TEST_F(Check, FindsWhatMayDeadlock) {
  const std::string worms =
      " --set 'routing={algorithm: vc-wormhole, function: dimension-order-plain, buffer: 2}' --set 'traffic={pattern: "
      "shift, offset: 3, flits: 8}'";
  const std::string ring = " --set 'network={topology: torus, shape: [5]}' --set traffic.offset=2";
  const ProgramRun may = starloom("check e.yaml" + worms + ring);
  EXPECT_EQ(may.status, 0);
  EXPECT_THAT(may.out, HasSubstr("  deadlock      may-deadlock: 10 links with 10 dependencies; 10 are on cycles, in 2 "
                                 "strongly connected components; a shortest cycle:\n"
                                 "                node_a00 to node_a01 over link_a00_plus1, held by a packet from "
                                 "node_a00 to node_a02\n"
                                 "                node_a01 to node_a02 over link_a01_plus1, held by a packet from "
                                 "node_a01 to node_a03\n"
                                 "                node_a02 to node_a03 over link_a02_plus1, held by a packet from "
                                 "node_a02 to node_a04\n"
                                 "                node_a03 to node_a04 over link_a03_plus1, held by a packet from "
                                 "node_a03 to node_a00\n"
                                 "                node_a04 to node_a00 over link_a04_plus1, held by a packet from "
                                 "node_a04 to node_a01\n"
                                 "  paths         all 20 pairs are connected, over at most 2 links (node_a02 to "
                                 "node_a00)\n"));
  EXPECT_EQ(starloom("run e.yaml --quiet --out ring --set expect.outcome=deadlock" + worms + ring).status, 0);
  EXPECT_THAT(starloom("check e.yaml" + worms).out, HasSubstr("  deadlock      acyclic: 48 links with "));
  EXPECT_THAT(starloom("check e.yaml --set 'routing={algorithm: vc-wormhole, function: adaptive, channels: 3}'").out,
              HasSubstr("  deadlock      acyclic: 48 escape classes of channels, 2 per link, with "));
  EXPECT_THAT(starloom_with_probes("check e.yaml --set 'routing={algorithm: probe-hold}'").out,
              HasSubstr("acyclic: 48 links with "));
  EXPECT_THAT(starloom("check e.yaml --set routing.algorithm=offline-worms").out,
              HasSubstr("  deadlock      none: no flit ever waits for a link\n"));
}

// A ring of three nodes has no path of two links, so one channel is sufficient; the run shows it.
TEST_F(Check, OneChannelServesShortRings) {
  const std::string routed =
      " --set 'routing={algorithm: vc-wormhole}' --set 'traffic={pattern: uniform, rate: 0.9, "
      "flits: 8, warmup: 0, measure: 3000}' --set 'network={topology: torus, shape: ";
  EXPECT_THAT(starloom("check e.yaml" + routed + "[3, 2]}'").out, HasSubstr("  deadlock      acyclic: 18 links with "));
  EXPECT_EQ(starloom("run e.yaml --quiet" + routed + "[3, 2]}' --set expect.outcome=saturated").status, 0);
  refuses("check e.yaml" + routed + "[3, 4]}'", 2,
          "--set routing: routing.channels: dimension-order on a torus needs 2 channels for datelines, not 1; without "
          "datelines, dimension-order-plain can deadlock");
}

TEST_F(Check, CountsAsAPersonWould) {
  const std::string alone = starloom(
                                "check e.yaml --set 'network={topology: mesh, shape: [1, 2]}' --set "
                                "'traffic={pattern: identity}' --set 'routing={algorithm: vc-wormhole}'")
                                .out;
  EXPECT_THAT(alone, HasSubstr("mesh 1 x 2, 2 nodes, 2 links, diameter 1; 1 row, 2 columns\n"));
  EXPECT_THAT(alone, HasSubstr("  paths         both pairs are connected, over at most 1 link ("));
  scratch_.write("one.csv", "cycle,source,destination,flits\n0,0,1,150000\n");
  const std::string long_one = starloom(
                                   "check e.yaml --set 'network={topology: mesh, shape: [1, 2]}' --set "
                                   "'traffic={pattern: packets, file: one.csv}' --set 'routing={algorithm: "
                                   "vc-wormhole}'")
                                   .out;
  EXPECT_THAT(long_one, HasSubstr("  traffic       packets: 1 packet\n"));
  EXPECT_THAT(long_one, HasSubstr("max 150000 flits over "));
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
// Offline routing from the command line: plans made, saved, followed, damaged, refused.
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

class PlanTest : public ProgramTest {
 protected:
  void write(const std::string& routing, const std::string& traffic) const {
    scratch_.write("e.yaml", "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: " + routing +
                                 "}\ntraffic: {pattern: " + traffic + "}\n");
  }
  /// The counter-example of five swaps, which takes 4 steps at distance 3.
  void write_five_swaps(const std::string& routing) const {
    scratch_.write("swaps.txt", "0 13 14 3 7 10 6 4 11 9 5 8 12 1 2 15\n");
    write(routing, "file, file: swaps.txt");
  }
  Json json_of(const std::string& file) const { return Json::parse(scratch_.read(file)); }
  /// A piece of a saved plan replaced by another one.
  void damage(const std::string& old_text, const std::string& new_text) const {
    std::string text = scratch_.read("p.json");
    const std::size_t at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << text;
    scratch_.write("p.json", text.replace(at, old_text.size(), new_text));
  }
};

TEST_F(PlanTest, IsPrintedAsJson) {
  write_five_swaps("multistage");
  const ProgramRun run = starloom("plan e.yaml");
  EXPECT_EQ(run.status, 0) << run.err;
  const Json plan = Json::parse(run.out);
  EXPECT_EQ(plan["length"], 4);
  EXPECT_EQ(plan["distance"], 3);
  EXPECT_EQ(plan["bounds"]["distance"], 3);
  EXPECT_EQ(plan["status"], "unknown");
  EXPECT_TRUE(plan["optimum"].is_null());
  EXPECT_EQ(plan["starts"], Json({0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(plan["first"].size(), 16U);
  const Json any = Json::parse(starloom("plan e.yaml --set routing.scheme=any --set routing.places=1").out);
  EXPECT_EQ(any["length"], 3);
  EXPECT_EQ(any["optimum"], 3);
  EXPECT_EQ(any["status"], "optimal");
}

TEST_F(PlanTest, APlanThatFailsIsAResultThatCannotBeSaved) {
  write("multistage, stage_limit: true, scheme: HF", "hot-spot, targets: [0]");
  const ProgramRun run = starloom("plan e.yaml");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Json::parse(run.out)["length"].is_null());
  EXPECT_EQ(Json::parse(run.out)["status"], "unknown");
  const ProgramRun saved = starloom("plan e.yaml --save p.json");
  EXPECT_EQ(saved.status, 2);
  EXPECT_THAT(saved.err,
              HasSubstr("found no path below the stage limit; plan without stage_limit or in another order"));
  EXPECT_FALSE(exists("p.json"));
  EXPECT_EQ(starloom("run e.yaml --out o").status, 4);
  EXPECT_EQ(json_of("o/result.json")["outcome"], "incomplete");
  EXPECT_GT(json_of("o/result.json")["algorithm"]["unplanned"], 0);
}

// Made or loaded, in hardware or without: the same packets at the same times.
TEST_F(PlanTest, SavedPlansAreFollowed) {
  const std::pair<const char*, const char*> cases[] = {{"multistage", ""},
                                                       {"multistage, scheme: any", ""},
                                                       {"multistage, scheme: any, places: 1", ""},
                                                       {"offline-worms, order: RND", ", flits: 3"},
                                                       {"product", ""}};
  for (const auto& [routing, flits] : cases) {
    write(routing, std::string("random-permutation") + flits);
    EXPECT_EQ(starloom("plan e.yaml --save p.json --force").status, 0) << routing;
    for (const char* call : {"--out made", "--out loaded --set routing.plan=p.json",
                             "--out messages --set routing.plan=p.json --set model=message"})
      EXPECT_EQ(starloom(std::string("run e.yaml --quiet --force ") + call).status, 0) << routing << call;
    EXPECT_EQ(scratch_.read("made/packets.csv"), scratch_.read("loaded/packets.csv")) << routing;
    EXPECT_EQ(scratch_.read("made/packets.csv"), scratch_.read("messages/packets.csv")) << routing;
    EXPECT_EQ(json_of("made/result.json")["links"], json_of("messages/result.json")["links"]) << routing;
    EXPECT_EQ(json_of("loaded/result.json")["queue"], json_of("messages/result.json")["queue"]) << routing;
  }
}

// A plan that sends two packets over one link looks sound; the network finds out.
TEST_F(PlanTest, DamagedPlansAreCaughtWhenTheyRun) {
  write_five_swaps("multistage");
  ASSERT_EQ(starloom("plan e.yaml --save p.json").status, 0);
  damage("\"starts\": [0,0,0,0,0,2", "\"starts\": [0,0,0,0,0,1");
  const ProgramRun run = starloom("run e.yaml --set routing.plan=p.json");
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("node_r01_c01"));
  const ProgramRun messages = starloom("run e.yaml --force --set routing.plan=p.json --set model=message");
  EXPECT_EQ(messages.status, 3);
  EXPECT_THAT(messages.err, HasSubstr("are both on link_r01_c01_"));
  damage("\"length\": 4", "\"length\": 5");
  refuses("run e.yaml --force --set routing.plan=p.json", 2,
          "e.yaml:3:22: routing: p.json: length: 5 is not the last arrival, which is 4");
}

// Two packets stay, in nodes 6 and 9. Hardware, referee, message model: with one resident less it is a violation.
TEST_F(PlanTest, PlacesHoldNodeByNode) {
  const auto places = [](int at_six) { return "[0,0,0,0,0,0," + std::to_string(at_six) + ",0,0,1,0,0,0,0,0,0]"; };
  write_five_swaps("multistage, scheme: any, places: " + places(1));
  ASSERT_EQ(starloom("run e.yaml --quiet --trace --out o").status, 0);
  Json result = json_of("o/result.json");
  EXPECT_EQ(result["steps"], 3);
  EXPECT_EQ(result["storage"]["places"], Json::parse(places(1)));
  EXPECT_EQ(starloom("verify o").status, 0);
  result["storage"]["places"][6] = 0;
  scratch_.write("o/result.json", result.dump());
  const ProgramRun verified = starloom("verify o");
  EXPECT_EQ(verified.status, 3);
  EXPECT_THAT(verified.out + verified.err,
              HasSubstr("node_r01_c02: 1 packets stay at the end of the step, more than the bound of 0"));

  ASSERT_EQ(starloom("plan e.yaml --save p.json").status, 0);
  for (const char* model : {"netlist", "message"}) {
    const std::string call = std::string("run e.yaml --quiet --force --set routing.plan=p.json --set model=") + model;
    EXPECT_EQ(starloom(call).status, 0) << model;
    const ProgramRun run = starloom(call + " --set routing.places=" + places(0));
    EXPECT_EQ(run.status, 3) << model;
    EXPECT_THAT(run.err, HasSubstr("node_r01_c02: keeps 1 packets, more than its bound of 0")) << model;
  }
  write_five_swaps("multistage, plan: p.json");
  refuses("run e.yaml", 2,
          "e.yaml:3:22: routing: p.json: packet 5 waits in a node on its path, but no node has waiting places; set "
          "places (multistage)");
}

TEST_F(PlanTest, RangesOfRanksAreCounted) {
  scratch_.write("e.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 2]}\nmodel: message\n"
                 "routing: {algorithm: multistage}\ntraffic: {pattern: ranks, from: 100, count: 40220}\n");
  EXPECT_EQ(starloom("run e.yaml --quiet --out o").status, 0);
  const Json counts = json_of("o/result.json")["algorithm"];
  EXPECT_EQ(counts["planned"], 40220);
  EXPECT_EQ(counts["worst_gap"], 1);
  refuses("plan e.yaml", 2, "e.yaml:5:20: traffic.pattern: ranks describes many plans; use starloom run");
}

TEST_F(PlanTest, BoundsTellHowShortPlansCanBe) {
  write_five_swaps("multistage");
  Json plan = Json::parse(starloom("plan e.yaml --bounds").out);
  EXPECT_EQ(plan["bounds"], Json::parse(R"({"distance": 3, "cut": 1, "degree": 3, "flow": 4})"));
  EXPECT_EQ(plan["status"], "optimal");
  EXPECT_EQ(plan["optimum"], 4);
  plan = Json::parse(starloom("plan e.yaml --bounds --places 1").out);
  EXPECT_EQ(plan["bounds"]["flow"], 3);
  EXPECT_EQ(plan["status"], "unknown");
  EXPECT_EQ(plan["lower"], 3);
  EXPECT_EQ(plan["upper"], 4);
  // Worms, and grids of another kind.
  write("offline-worms", "reversal, flits: 3");
  plan = Json::parse(starloom("plan e.yaml --bounds").out);
  EXPECT_EQ(plan["bounds"]["distance"], 8);
  EXPECT_LE(plan["bounds"]["flow"], plan["length"]);
  EXPECT_GE(plan["bounds"]["flow"], plan["bounds"]["cut"]);
  write("multistage, scheme: any", "random-permutation");
  EXPECT_EQ(starloom("plan e.yaml --bounds --set network.topology=torus --set network.shape=[3,3,3]").status, 0);
  // The clock may only take an answer away.
  write("multistage", "hot-spot, targets: [0, 1]");
  plan = Json::parse(starloom("plan e.yaml --bounds --set network.shape=[12,12] --time 0.001").out);
  EXPECT_TRUE(plan["bounds"]["flow"].is_null());
  EXPECT_EQ(plan["status"], "unknown");
}

TEST_F(PlanTest, OptimalPlansAreFoundAndFollowed) {
  write_five_swaps("multistage");
  for (const char* call : {"", " --set routing.scheme=any", " --set routing.scheme=VF"}) {
    const Json plan = Json::parse(starloom(std::string("plan e.yaml --optimal") + call).out);
    EXPECT_EQ(plan["optimum"], 4) << call;
    EXPECT_EQ(plan["lower"], 4) << call;
    EXPECT_EQ(plan["upper"], 4) << call;
    EXPECT_EQ(plan["status"], "optimal") << call;
  }
  const ProgramRun placed = starloom("plan e.yaml --optimal --places 1 --set routing.scheme=any --save p.json");
  EXPECT_EQ(Json::parse(placed.out)["optimum"], 3);
  EXPECT_EQ(starloom("run e.yaml --quiet --set routing.scheme=any --set routing.places=1 --set routing.plan=p.json "
                     "--out o")
                .status,
            0);
  EXPECT_EQ(json_of("o/result.json")["steps"], 3);

  EXPECT_EQ(starloom("plan e.yaml --optimal --proof swaps.drat").status, 0);
  EXPECT_THAT(scratch_.read("swaps.drat.cnf"), HasSubstr("p cnf "));
  EXPECT_THAT(scratch_.read("swaps.drat"), HasSubstr("0\n"));
  refuses("plan e.yaml --optimal --proof none/swaps.drat", 5,
          "none/swaps.drat: cannot be created (No such file or directory)");
  std::filesystem::create_symlink("/dev/full", scratch_.file("full"));
  refuses("plan e.yaml --optimal --proof full", 5, "full: cannot be written (No space left on device)");
  EXPECT_FALSE(exists("full.cnf"));
  refuses("plan e.yaml --proof swaps.drat", 2,
          "starloom plan: --proof needs --optimal or --length, which give it a statement to prove");
}

TEST_F(PlanTest, LengthsAreFeasibleOrNot) {
  write_five_swaps("multistage");
  const std::pair<const char*, const char*> cases[] = {
      {"0", "infeasible"}, {"2", "infeasible"}, {"3", "infeasible"}, {"4", "feasible"}, {"1000", "feasible"}};
  for (const auto& [length, status] : cases) {
    const ProgramRun run = starloom(std::string("plan e.yaml --length ") + length);
    EXPECT_EQ(run.status, 0) << length;
    EXPECT_EQ(Json::parse(run.out)["status"], status) << length;
  }
  EXPECT_EQ(Json::parse(starloom("plan e.yaml --length 3 --places 1").out)["status"], "feasible");
  write("multistage", "hot-spot, targets: [0, 1]");
  const ProgramRun run = starloom("plan e.yaml --length 40 --set network.shape=[12,12] --time 0.000001");
  EXPECT_EQ(Json::parse(run.out)["status"], "unknown");
}

TEST_F(PlanTest, HuntsEndInScenarios) {
  write("multistage, order: LLH", "reversal");
  const ProgramRun run = starloom("plan e.yaml --falsify");
  EXPECT_EQ(run.status, 0) << run.err;
  const Json counterexample = Json::parse(run.out);
  EXPECT_EQ(counterexample["status"], "found");
  EXPECT_EQ(counterexample["exceeds"], "diameter");
  EXPECT_EQ(counterexample["diameter"], 6);
  EXPECT_EQ(counterexample["length"], 7);
  EXPECT_EQ(counterexample["scenario"], "out/e_falsified.yaml");
  EXPECT_EQ(starloom("run out/e_falsified.yaml --quiet --out o").status, 0);
  EXPECT_EQ(json_of("o/result.json")["steps"], 7);
  EXPECT_EQ(starloom("plan e.yaml --falsify --save prey.yaml").out,
            run.out.substr(0, run.out.find("out/e_falsified")) + "prey.yaml\"\n}\n");
  EXPECT_EQ(
      Json::parse(starloom("plan e.yaml --falsify --set network.shape=[2,4] --set routing.order=LTD").out)["status"],
      "none");
  EXPECT_EQ(Json::parse(starloom("plan e.yaml --falsify --time 0.000001").out)["status"], "unknown");
  refuses("plan e.yaml --falsify --save none/prey.yaml", 5,
          "none/prey.yaml: cannot be created (No such file or directory)");
  refuses("plan e.yaml --falsify --set routing.scheme=any", 2,
          "e.yaml:3:1: routing: --falsify needs multistage with scheme PS, HF or VF, and neither stage_limit nor plan");
  refuses("plan e.yaml --falsify --optimal", 2, "starloom: --optimal excludes --falsify; see starloom plan --help");
}

TEST_F(PlanTest, RefusesNumbersThatMakeNoSense) {
  write("multistage", "reversal");
  const std::string help = "; see starloom plan --help";
  refuses("plan e.yaml --places -1", 2, "starloom: --places -1: an integer from 0 to 1048576 is expected" + help);
  refuses("plan e.yaml --length -1", 2, "starloom: --length: the length of a plan is an integer from 0, not -1" + help);
  refuses("plan e.yaml --length 4.5", 2,
          "starloom: --length: the length of a plan is an integer from 0, not 4.5" + help);
  for (const char* seconds : {"0", "-1", "nan", "soon"})
    refuses(std::string("plan e.yaml --optimal --time ") + seconds, 2,
            std::string("starloom: --time: a time limit is a number of seconds above 0, not ") + seconds +
                "; leave it out for no limit" + help);
  write("offline-worms", "reversal, flits: 3");
  refuses("plan e.yaml --optimal --places 1", 2, "only packets of one flit may wait in nodes on their path");
  scratch_.write("far.txt", "16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
  write("multistage", "file, file: far.txt");
  EXPECT_EQ(starloom("plan e.yaml --optimal").status, 2);
}

struct Refusal {
  std::string routing;
  std::string traffic;
  std::string options;
  std::string text;
};

TEST_F(PlanTest, RefusesWhatCannotBePlanned) {
  scratch_.write("two.csv", "cycle,source,destination,flits\n0,1,2,1\n0,1,3,1\n");
  scratch_.write("late.csv", "cycle,source,destination,flits\n0,1,2,1\n4,2,3,1\n");
  scratch_.write("long.csv", "cycle,source,destination,flits\n0,1,2,1\n0,2,3,4\n");
  scratch_.write("text.json", "x");
  write("multistage", "reversal");
  ASSERT_EQ(starloom("plan e.yaml --save p.json").status, 0);
  ASSERT_EQ(starloom("plan e.yaml --save early.json").status, 0);
  std::string early = scratch_.read("early.json");
  scratch_.write("early.json", early.replace(early.find("[0,", early.find("starts")), 3, "[-1,"));
  const std::string routing = "e.yaml:3:22: routing: ";
  const Refusal refusals[] = {
      {"multistage", "uniform, rate: 0.1", "",
       routing + "multistage plans all packets before the run, so its traffic must end: choose a pattern without rate"},
      {"multistage, order: LTX", "reversal", "",
       "e.yaml:3:41: routing.order: unknown order LTX (did you mean LTD?); known: RM, CM, SRM, SCM, RND, LTD, LLH, "
       "LLV, STD, SLH, SLV"},
      {"multistage, scheme: XX", "reversal", "",
       "e.yaml:3:42: routing.scheme: unknown scheme XX; known: PS, HF, VF, any"},
      {"multistage, tie: up", "reversal", "",
       "e.yaml:3:39: routing.tie: unknown tie up; known: row-major, column-major, snake-row, snake-column, "
       "reverse-row, "
       "random"},
      {"multistage, places: -1, scheme: any", "reversal", "",
       "e.yaml:3:42: routing.places: -1 is out of range (0 to 1048576)"},
      {"multistage, places: [1, 2], scheme: any", "reversal", "",
       "e.yaml:3:34: routing.places: 2 numbers for 16 nodes; give one number, or one per node"},
      {"multistage, places: 1", "reversal", "",
       "e.yaml:3:42: routing.places: places needs scheme: any, because packets on one-bend paths do not wait in nodes"},
      {"multistage, scheme: any, stage_limit: true", "reversal", "",
       "e.yaml:3:60: routing.stage_limit: it works with schemes PS, HF and VF, not with scheme any"},
      {"multistage, lexicographic: true", "reversal", "",
       "e.yaml:3:49: routing.lexicographic: order LTD has no lexicographic variant; LLH, LLV, SLH and SLV have one"},
      {"multistage", "reversal, flits: 2", "",
       "e.yaml:4:37: traffic: packets of 2 flits, but multistage moves only packets of one flit"},
      {"offline-worms", "reversal, flits: 0", "", "e.yaml:4:37: traffic.flits: 0 is out of range (1 to 2^31 - 1)"},
      {"product", "hot-spot, targets: [3]", "",
       routing + "packet 1: node 3 is already the destination of another packet; product plans only permutations, "
                 "multistage any traffic"},
      {"multistage", "ranks, count: 4", "",
       "e.yaml:4:20: traffic.pattern: ranks needs routing.algorithm: multistage and model: message"},
      {"product", "ranks, count: 4", "--set model=message",
       routing + "product does not plan ranges of ranks; multistage does"},
      {"multistage", "ranks, from: 20922789888000, count: 1", "--set model=message",
       routing + "ranks from 20922789888000, 1 of them, but there are 20922789888000 permutations"},
      {"greedy", "reversal", "--set model=message", "--set model: greedy has no transaction-level model; use netlist"},
      {"multistage", "reversal", "--set model=message --trace",
       "--set model: message has no events to trace or watch; use model: netlist"},
      {"multistage", "reversal", "--set model=message --dump-netlist",
       "--set model: message has no netlist; use model: netlist"},
      {"multistage", "reversal", "--set network.topology=torus",
       routing + "one-bend paths need a two-dimensional mesh; scheme any works on every grid"},
      {"multistage", "reversal", "--set network.link_latency=2",
       "--set network.link_latency: multistage replays a plan, which needs links of latency 1, "
       "not 2"},
      {"multistage, scheme: any", "packets, file: two.csv", "",
       routing + "packet 1 has the source of packet 0, node_r00_c01; multistage with scheme any plans for one packet "
                 "per node"},
      {"multistage", "packets, file: late.csv", "",
       routing + "packet 1 is created in step 4; multistage plans for packets that are all created in step 0"},
      {"offline-worms", "packets, file: long.csv", "",
       routing + "packet 1 has 4 flits, packet 0 1; offline-worms plans for worms of one length"},
      {"multistage, plan: none.json", "reversal", "",
       "e.yaml:3:40: routing.plan: none.json: cannot be read: No such file or directory"},
      {"multistage, plan: p.json", "reversal", "--set network.shape=[4,5]",
       routing + "p.json: this plan is for a mesh 4 x 4, not for a mesh 4 x 5"},
      {"multistage, plan: p.json", "transpose", "",
       routing +
           "p.json: packet 0 goes from 0 to 15 with 1 flit in this plan, but from 0 to 0 with 1 flit in the traffic"},
      {"multistage, plan: early.json", "reversal", "",
       routing + "early.json: starts[0]: -1 is not between 0 and 2147483647"},
      {"multistage, plan: text.json", "reversal", "",
       routing + "text.json:1:1: this is not JSON; a plan is a JSON file that plan --save has written"}};
  for (const Refusal& refusal : refusals) {
    write(refusal.routing, refusal.traffic);
    refuses("run e.yaml " + refusal.options, 2, refusal.text);
    EXPECT_FALSE(exists("out"));
  }
  write("greedy", "reversal");
  refuses("plan e.yaml", 2,
          "e.yaml:3:22: routing.algorithm: greedy routes online and has no plan; planners are: multistage, "
          "multistage-plus, "
          "offline-worms, product");
  write("multistage", "reversal");
  refuses("plan e.yaml --save none/p.json", 5, "none/p.json: cannot be created (No such file or directory)");
}

}  // namespace
}  // namespace starloom

// POPS networks in the program: what is refused, and what a run leaves behind.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program_run.hpp"
#include "support/xml.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

/// POPS(8,4): groups of eight.
const char* const pops_experiment =
    "schema: 1\n"
    "network: {topology: pops, groups: 4, group_size: 8}\n"
    "model: message\n"
    "routing: {algorithm: randomized}\n"
    "traffic: {pattern: random-permutation}\n";

class Pops : public ProgramTest {
 protected:
  Pops() { scratch_.write("p.yaml", pops_experiment); }
  /// `run p.yaml` with values put in place of those of the file.
  std::string with(const std::string& values) const {
    std::string words = "run p.yaml --force --quiet";
    std::istringstream stream(values);
    for (std::string value; stream >> value;) words += " --set '" + value + "'";
    return words;
  }
  nlohmann::json result(const std::string& values, int status = 0) const {
    const ProgramRun run = starloom(with(values));
    EXPECT_EQ(run.status, status) << values << ": " << run.err;
    return nlohmann::json::parse(scratch_.read("out/p/result.json"));
  }
  void refuses_values(const std::string& values, const std::string& text) const { refuses(with(values), 2, text); }
};

TEST_F(Pops, RefusesSizes) {
  refuses_values("network.groups=0", "--set network.groups: network.groups: 0 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=-3",
                 "--set network.group_size: network.group_size: -3 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=0",
                 "--set network.group_size: network.group_size: 0 is out of range (1 to 1073741824)");
  refuses_values("network.groups=-1", "--set network.groups: network.groups: -1 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=1.5",
                 "--set network.group_size: network.group_size: an integer is expected, not 1.5");
  refuses_values("network.groups=2.5", "--set network.groups: network.groups: an integer is expected, not 2.5");
  refuses_values("network.shape=[4,8]", "--set network.shape: unknown key network.shape");
  refuses_values("network.gruops=4", "--set network.gruops: unknown key network.gruops (did you mean groups?)");
  refuses_values("network.groups=1073741824",
                 "p.yaml:2:1: network: a POPS network has at most 1073741824 processors, not 8589934592");
  refuses_values(
      "network.groups=100000",
      "p.yaml:2:1: network: 100000 groups have 10000000000 couplers, and 536870912 is the most; choose fewer "
      "groups");
  refuses_values(
      "network.groups=3",
      "p.yaml:4:1: routing: randomized needs a group size that divides the number of groups or is a multiple "
      "of it, not POPS(8,3); offline and comparator-sort route any sizes");
  refuses_values(
      "network.group_size=3",
      "p.yaml:4:1: routing: randomized needs a group size that divides the number of groups or is a multiple "
      "of it, not POPS(3,4); offline and comparator-sort route any sizes");
  const ProgramRun large = starloom(with("network.groups=20000 network.group_size=50000"));
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(large.err, MatchesRegex("p.yaml:2:1: network: this network needs about 113 GB of memory, and [0-9]+ "
                                      "[MG]B are available; choose a smaller one\n"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(Pops, RefusesPermutationFiles) {
  std::string most;  // of the 32 entries, but the last
  for (int node = 0; node < 31; ++node) most += std::to_string(node) + " ";
  const auto file = [&](const std::string& text, const std::string& fault) {
    scratch_.write("f.txt", text);
    refuses("run p.yaml --set 'traffic={pattern: file, file: f.txt}'", 2, fault);
  };
  file("1 0 2\n", "f.txt:2:1: the network has 32 nodes, the file 3 entries");
  file(most + "\n", "f.txt:2:1: the network has 32 nodes, the file 31 entries");
  file("", "f.txt:1:1: the network has 32 nodes, the file 0 entries");
  file(most + "31 32\n", "f.txt:1:87: trailing text '32': the network has 32 nodes, the file 33 entries");
  file(most + "31\nend\n", "f.txt:2:1: trailing text 'end': the network has 32 nodes, the file 33 entries");
  file(most + "32\n", "f.txt:1:84: destination of node 31: 32 is not a node: nodes are 0 to 31");
  file(most + "-1\n", "f.txt:1:84: destination of node 31: -1 is not a node: nodes are 0 to 31");
  file(most + "x\n", "f.txt:1:84: destination of node 31: 'x' is not a whole number");
  file(most + "0\n", "f.txt:1:84: destination 0 of node 31 is already that of node 0 (f.txt:1:1)");
  refuses("run p.yaml --set 'traffic={pattern: file, file: none.txt}'", 2,
          "--set traffic: traffic: cannot read none.txt: No such file or directory");
  EXPECT_FALSE(exists("out"));
}

TEST_F(Pops, RefusesOptions) {
  refuses_values("routing.C=3.5",
                 "p.yaml:4:1: routing: C is 3.500000, but the law of participation needs a finite C of "
                 "at least e^(1+1/e) = 3.92701439");
  refuses_values("routing.C=.inf", "--set routing.C: routing.C: a number is expected, not \".inf\"");
  refuses_values("routing.literal=true network.groups=8",
                 "p.yaml:4:1: routing: literal keeps the paper's slot 5 where it differs, for d > g, not on POPS(8,8)");
  refuses_values("routing.shift=true", "p.yaml:4:1: routing: shift is defined for d = g, not on POPS(8,4)");
  refuses_values("routing.gaurd=true", "--set routing.gaurd: unknown key routing.gaurd (did you mean guard?)");
  refuses_values("routing.C=.nan", "--set routing.C: routing.C: a number is expected, not \".nan\"");
  refuses_values("routing.C=3.927",
                 "p.yaml:4:1: routing: C is 3.927000, but the law of participation needs a finite C of "
                 "at least e^(1+1/e) = 3.92701439");
  refuses_values("seed=1.5", "--set seed: seed: an integer is expected, not 1.5");
  refuses_values("seed=x", "--set seed: seed: an integer is expected, not \"x\"");
  scratch_.write("c.yaml", "schema: 1\nexperiment: p.yaml\nruns: 0\nkeep: [steps]\n");
  refuses("campaign c.yaml", 2, "c.yaml:3:7: runs: 0 is out of range (1 to 1000000000)");
  refuses_values("limits.steps=0", "--set limits.steps: limits.steps: 0 is out of range (1 to 1000000000000000000)");
  refuses_values("seed=-1", "--set seed: seed: -1 is out of range (0 to 9223372036854775807)");
  const ProgramRun grid = starloom(with("routing.algorithm=greedy"));
  EXPECT_EQ(grid.status, 2);
  EXPECT_EQ(grid.err,
            "--set routing.algorithm: routing.algorithm: greedy serves mesh and torus, not pops; for pops there "
            "are: broadcast, comparator-sort, data-sum, direct, offline, randomized\n");
  scratch_.write("m.yaml", std::string(small_experiment) + "faults: {dead_couplers: 0.1}\n");
  refuses("run m.yaml", 2,
          "m.yaml:5:25: faults.dead_couplers: greedy does not know of dead couplers; randomized on pops does");
  refuses("run m.yaml --set routing.algorithm=direct --set faults={}", 2,
          "--set routing.algorithm: routing.algorithm: direct serves pops, not mesh; for mesh there are: constant-queue, deflection, "
          "greedy, kunde, mesh-sort, multistage, offline-worms, probe-credits, probe-hold, probe-keys, probe-quitter, "
          "probe-sleeper, product, "
          "three-phase");
}

TEST_F(Pops, RefusesTraffic) {
  refuses_values("traffic.pattern=random-function",
                 "p.yaml:5:1: traffic: two packets go to processor 5, the second from 7; POPS algorithms route "
                 "permutations");
  refuses_values(
      "traffic.rate=0.1",
      "p.yaml:5:20: traffic: random-permutation creates packets while the network runs, but programs of POPS "
      "networks serve what is there in slot 0; use a permutation without rate");
  refuses_values("traffic.flits=2",
                 "--set traffic.flits: traffic: 2 flits a packet, but randomized moves packets of one flit only");
  refuses_values("traffic.pattern=transpose",
                 "p.yaml:5:1: traffic: transpose exchanges rows and columns and needs a square grid, not the mesh [4, "
                 "8]; make both sides equal, or choose reversal");
  refuses_values(
      "traffic.pattern=bit-reversal network.groups=3 routing.algorithm=offline",
      "p.yaml:5:1: traffic: bit-reversal acts on the bits of node numbers and needs a power of two of nodes, "
      "but the mesh [3, 8] has 24; choose another shape, or reversal");
  refuses_values("traffic.pattern=shift traffic.offset=[1,2]",
                 "--set traffic.offset: traffic.offset: an integer is expected, not a list");
  refuses_values("routing.algorithm=broadcast",
                 "p.yaml:5:1: traffic: packet 0 of proc_g00_p00 has a destination, but broadcast sends packets to all; "
                 "use traffic.pattern: packets and leave destinations empty");
  refuses_values("routing.algorithm=data-sum",
                 "p.yaml:5:1: traffic: data-sum takes a value from every processor to processor 0; use traffic: "
                 "{pattern: hot-spot, targets: [0]}");
  scratch_.write("late.csv", "cycle,source,destination,flits\n0,1,2,1\n3,2,1,1\n");
  scratch_.write("all.csv", "cycle,source,destination,flits\n0,1,,1\n");
  scratch_.write("twice.csv", "cycle,source,destination,flits\n0,1,2,1\n0,1,3,1\n");
  const auto file = [&](const std::string& name, const std::string& text) {
    refuses("run p.yaml --set 'traffic={pattern: packets, file: " + name + "}'", 2, "--set traffic: traffic: " + text);
  };
  file("late.csv",
       "packet 1 of proc_g00_p02 is created in slot 3, but programs of POPS networks serve what is there in "
       "slot 0");
  file("all.csv", "packet 0 of proc_g00_p01 goes to all, which only broadcast serves");
  file("twice.csv", "packet 1 of proc_g00_p01 is its second; POPS algorithms route permutations");
  scratch_.write("part.txt", "1 0 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n");
  refuses("run p.yaml --set routing.algorithm=comparator-sort --set 'traffic={pattern: file, file: part.txt}'", 2,
          "--set traffic: traffic: comparator-sort needs a packet in every processor, but proc_g00_p02 has none; "
          "randomized and offline do not");
  EXPECT_FALSE(exists("out"));
}

TEST_F(Pops, RefusesDeadCouplers) {
  const std::string square = "network.group_size=4 routing.shift=true ";
  refuses_values(square + "faults.dead_couplers=1.5",
                 "--set faults.dead_couplers: faults.dead_couplers: 1.5 is out of range (0 to 1)");
  refuses_values(square + "faults.dead_couplers=many",
                 "--set faults.dead_couplers: faults.dead_couplers: a rate, or a list of pairs of groups such as "
                 "[[0, 3], [2, 2]], is expected, not \"many\"");
  refuses_values(square + "faults.dead_couplers=[[0,1],3]",
                 "--set faults.dead_couplers: faults.dead_couplers: a pair of groups such as [0, 3] is expected");
  refuses_values(square + "faults.dead_couplers=[[0,4]]",
                 "--set faults.dead_couplers: faults.dead_couplers: there is no group 4; groups are 0 to 3");
  refuses_values(square + "faults.dead_couplers=[[0,3],[1,3],[2,3]]",
                 "--set faults.dead_couplers: faults.dead_couplers: group 3 cannot be reached from group 0 over the "
                 "couplers that are left; leave more of them in service");
  refuses_values(square + "faults.dead_coupler=0.1",
                 "--set faults.dead_coupler: unknown key faults.dead_coupler (did you mean dead_couplers?)");
  refuses_values("faults.dead_couplers=0.01",
                 "p.yaml:4:1: routing: dead couplers are served for d = g only, not on POPS(8,4)");
  refuses_values("routing.algorithm=offline faults.dead_couplers=0.01",
                 "--set faults.dead_couplers: faults.dead_couplers: offline does not know of dead couplers; randomized "
                 "on pops does");
}

TEST_F(Pops, FiguresOfTheResult) {
  const auto run = result("seed=3");
  EXPECT_EQ(run["experiment"]["network"].dump(), R"({"group_size":8,"groups":4,"topology":"pops"})");
  EXPECT_EQ(run["outcome"], "completed");
  EXPECT_TRUE(run["distance"].is_null());
  EXPECT_TRUE(run["queue"].is_null());
  EXPECT_TRUE(run["storage"].is_null());
  EXPECT_EQ(run["schedule"]["unit"], "five-slot cycle");
  EXPECT_EQ(run["schedule"]["steps_per_unit"], 5);
  EXPECT_EQ(run["schedule"]["steps"], 5 * run["schedule"]["units"].get<int>() + 1);
  EXPECT_LE(run["steps"], run["schedule"]["steps"]);
  EXPECT_EQ(run["packets"]["delivered"], 32);
  EXPECT_EQ(run["bounds"]["published_formula_slots"], 2 * (16 + 4 + 21) + 6 + 7);
  // slots.csv says the same: rows of slots 3 and 4 of a cycle are acknowledgements.
  std::istringstream slots(scratch_.read("out/p/slots.csv"));
  std::string line;
  std::getline(slots, line);
  EXPECT_EQ(line, "slot,drives,delivered,collisions,listeners");
  std::int64_t rows = 0, data = 0, acks = 0, collisions = 0;
  for (; std::getline(slots, line); ++rows) {
    std::int64_t slot = 0, drives = 0, delivered = 0, collided = 0, listeners = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%ld,%ld,%ld,%ld,%ld", &slot, &drives, &delivered, &collided, &listeners), 5);
    EXPECT_EQ(slot, rows);
    const bool ack = slot < 5 * run["schedule"]["units"].get<int>() && (slot % 5 == 2 || slot % 5 == 3);
    (ack ? acks : data) += drives;
    collisions += collided;
  }
  EXPECT_EQ(rows, run["schedule"]["steps"]);
  EXPECT_EQ(data, run["links"]["flit_hops"]);
  EXPECT_EQ(acks, run["links"]["control_hops"]);
  EXPECT_EQ(acks, 2 * 32);
  EXPECT_EQ(collisions, run["algorithm"]["collisions"]);
  // The last delivery of packets.csv is `steps`.
  EXPECT_THAT(scratch_.read("out/p/packets.csv"), HasSubstr("," + run["steps"].dump() + "\n"));
}

TEST_F(Pops, SlotsOfTheOtherAlgorithms) {
  const auto slots = [&](const std::string& values) {
    const auto run = result(values);
    EXPECT_EQ(run["schedule"]["unit"], "slot");
    EXPECT_EQ(run["schedule"]["units"], run["schedule"]["steps"]);
    return run["schedule"]["steps"].get<int>();
  };
  EXPECT_EQ(slots("routing.algorithm=offline"), 4);
  EXPECT_EQ(slots("routing.algorithm=comparator-sort"), 15 * 4);
  EXPECT_EQ(slots("routing.algorithm=offline network.group_size=1"), 1);
  EXPECT_EQ(slots("network.groups=1"), 8);
  EXPECT_EQ(slots("routing.algorithm=direct") % 2, 0);
  EXPECT_EQ(result("routing.algorithm=data-sum traffic.pattern=hot-spot traffic.targets=[0]")["algorithm"]["sum"], 496);
}

TEST_F(Pops, PacketsAreNumberedByTheirSources) {
  scratch_.write("part.txt", "- - - 7 - - - - - - - - 0 - - - - - - - - - - - - - - - - - - -\n");
  ASSERT_EQ(starloom("run p.yaml --quiet --set routing.algorithm=offline --set 'traffic={pattern: file, file: "
                     "part.txt}'")
                .status,
            0);
  EXPECT_THAT(scratch_.read("out/p/packets.csv"),
              MatchesRegex("packet,source,destination,flits,created,delivered\n0,3,7,1,0,[24]\n1,12,0,1,0,[24]\n"));
}

TEST_F(Pops, OutcomesWithPacketsLeft) {
  const auto literal = result("routing.literal=true network.group_size=32", 4);
  EXPECT_EQ(literal["outcome"], "incomplete");
  EXPECT_GT(literal["packets"]["undelivered"], 0);
  const std::string square =
      "network.group_size=4 traffic.pattern=reversal faults.dead_couplers=[[0,3]] limits.quiet=500";
  EXPECT_EQ(result(square, 4)["outcome"], "livelock");
  const ProgramRun stuck = starloom(with(square));
  EXPECT_THAT(stuck.err, HasSubstr("packet 3 of proc_g00_p03 has not reached proc_g03_p00\n"));
  const auto shifted = result(square + " routing.shift=true");
  EXPECT_EQ(shifted["outcome"], "completed");
  EXPECT_EQ(shifted["algorithm"]["dead_couplers"], 2);
  for (const char* algorithm : {"randomized", "comparator-sort", "offline", "direct"}) {
    const std::string limited = std::string("limits.steps=2 routing.algorithm=") + algorithm;
    const auto cut = result(limited, 4);
    const std::string left = cut["packets"]["undelivered"].dump(), said = starloom(with(limited)).err;
    EXPECT_THAT(said, StartsWith("p.yaml: step-limit: the run was stopped by limits.steps; raise it to see the end\n"));
    // All are named, or their number is.
    const auto lines = std::count(said.begin(), said.end(), '\n') - 1;
    if (said.find("and others: " + left + " packets are not delivered in all\n") == std::string::npos) {
      EXPECT_EQ(std::to_string(lines), left) << said;
    }
    EXPECT_EQ(cut["outcome"], "step-limit") << algorithm;
    EXPECT_TRUE(cut["schedule"].is_null());
  }
}

TEST_F(Pops, TheSameBytesForTheSameSeed) {
  result("seed=7");
  const std::string one = scratch_.read("out/p/result.json") + scratch_.read("out/p/slots.csv");
  result("seed=7");
  EXPECT_EQ(one, scratch_.read("out/p/result.json") + scratch_.read("out/p/slots.csv"));
  result("seed=8");
  EXPECT_NE(one, scratch_.read("out/p/result.json") + scratch_.read("out/p/slots.csv"));
  // A campaign runs the same.
  scratch_.write("c.yaml",
                 "schema: 1\nexperiment: p.yaml\naxes: {network.group_size: [4, 8]}\nruns: 9\n"
                 "keep: [schedule.units, steps]\n"
                 "reference: [{at: {network.group_size: 8}, figure: schedule.units, value: 9.3, tolerance: 3}]\n");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  EXPECT_EQ(starloom("report c.yaml").status, 0);
}

/// Values of an experiment for each algorithm and each proportion of the sizes.
const char* const all_algorithms[] = {
    "seed=2",
    "seed=2 network.group_size=4",
    "seed=2 network.groups=32",
    "network.groups=1",
    "routing.literal=true network.group_size=32 expect.outcome=incomplete",
    "routing.guard=true network.groups=2",
    "network.group_size=4 routing.shift=true faults.dead_couplers=[[0,3],[2,2]]",
    "network.group_size=4 faults.dead_couplers=[[0,3]] traffic.pattern=reversal limits.quiet=53 "
    "expect.outcome=livelock",
    "limits.steps=12 expect.outcome=step-limit",
    "routing.algorithm=comparator-sort",
    "routing.algorithm=offline network.group_size=5 network.groups=3",
    "routing.algorithm=offline network.group_size=1",
    "routing.algorithm=direct",
    "routing.algorithm=direct limits.quiet=3 expect.outcome=livelock",
    "routing.algorithm=direct limits.steps=7 expect.outcome=step-limit",
    "routing.algorithm=broadcast traffic.pattern=packets traffic.file=two.csv",
    "routing.algorithm=data-sum traffic.pattern=hot-spot traffic.targets=[0]",
};

TEST_F(Pops, HardwareAndModelAreTheSame) {
  scratch_.write("two.csv", "cycle,source,destination,flits\n0,5,,1\n0,9,,1\n");
  const auto files = [&] { return scratch_.read("out/p/slots.csv") + scratch_.read("out/p/packets.csv"); };
  for (const std::string values : all_algorithms) {
    SCOPED_TRACE(values);
    auto model = result(values);
    const std::string of_model = files();
    EXPECT_FALSE(exists("out/p/trace.csv"));
    auto netlist = result(values + " model=netlist");
    EXPECT_EQ(files(), of_model);
    model["experiment"].erase("model");
    netlist["experiment"].erase("model");
    EXPECT_EQ(model, netlist);
  }
}

TEST_F(Pops, NeitherOrderNorWakingMatters) {
  for (const std::string values : {"seed=4", "routing.algorithm=direct", "routing.algorithm=comparator-sort"}) {
    const auto run = [&](const std::string& options) {
      const ProgramRun ran = starloom(with(values + " model=netlist") + " --trace " + options);
      EXPECT_EQ(ran.status, 0) << ran.err;
      return scratch_.read("out/p/trace.csv") + scratch_.read("out/p/slots.csv") + scratch_.read("out/p/result.json");
    };
    const std::string plain = run("");
    EXPECT_EQ(run("--shuffle 1"), plain);
    EXPECT_EQ(run("--shuffle 77 --wake all"), plain);
    EXPECT_EQ(run("--no-referee"), plain);
  }
}

TEST_F(Pops, FourThousandProcessors) {
  for (const std::string sizes : {"network.groups=64 network.group_size=64", "network.groups=16 network.group_size=256",
                                  "network.groups=128 network.group_size=32"}) {
    result(sizes);
    const std::string model = scratch_.read("out/p/slots.csv");
    EXPECT_EQ(starloom(with(sizes + " model=netlist") + " --shuffle 9").status, 0);
    EXPECT_EQ(scratch_.read("out/p/slots.csv"), model);
  }
}

TEST_F(Pops, TraceOfAnExample) {
  // POPS(1,2), two processors that change packets; each is a group.
  ASSERT_EQ(starloom(with("model=netlist network.groups=2 network.group_size=1 routing.algorithm=direct "
                          "traffic.pattern=reversal") +
                     " --trace")
                .status,
            0);
  EXPECT_EQ(scratch_.read("out/p/trace.csv"),
            "slot,event,processor,source_group,destination_group,kind,packet\n"
            "0,drive,0,0,1,data,0\n0,drive,1,1,0,data,1\n0,listen,0,1,0,data,1\n0,listen,1,0,1,data,0\n"
            "1,drive,0,0,1,ack,1\n1,drive,1,1,0,ack,0\n1,listen,0,1,0,ack,0\n1,listen,1,0,1,ack,1\n");
  EXPECT_EQ(scratch_.read("out/p/slots.csv"), "slot,drives,delivered,collisions,listeners\n0,2,2,0,2\n1,2,2,0,2\n");
  const ProgramRun window = starloom(with("model=netlist network.groups=2 network.group_size=1 "
                                          "routing.algorithm=direct traffic.pattern=reversal") +
                                     " --trace 1:2 --watch packet=1");
  EXPECT_EQ(window.err,
            "slot 0: proc_g01_p00 drives coupler_to00_from01 with packet 1\n"
            "slot 0: proc_g00_p00 hears packet 1 from coupler_to00_from01\n"
            "slot 1: proc_g00_p00 drives coupler_to01_from00 with the acknowledgement of packet 1\n"
            "slot 1: proc_g01_p00 hears the acknowledgement of packet 1 from coupler_to01_from00\n");
  EXPECT_THAT(scratch_.read("out/p/trace.csv"), MatchesRegex("slot,[^\n]*\n(1,[^\n]*\n){4}"));
}

TEST_F(Pops, VerifyJudgesFolders) {
  scratch_.write("two.csv", "cycle,source,destination,flits\n0,5,,1\n0,9,,1\n");
  for (const std::string values : all_algorithms) {
    ASSERT_EQ(starloom(with(values + " model=netlist") + " --trace").status, 0) << values;
    const ProgramRun verdict = starloom("verify out/p");
    EXPECT_EQ(verdict.status, 0) << values << ": " << verdict.err;
    EXPECT_THAT(verdict.out, MatchesRegex("out/p: no rule is broken \\([0-9]+ packets, [0-9]+ rows\\)\n"));
  }
}

TEST_F(Pops, VerifyRejectsDamage) {
  ASSERT_EQ(starloom(with("model=netlist") + " --trace").status, 0);
  const auto damaged = [&](const std::string& name, const std::string& from, const std::string& to) {
    const std::string whole = scratch_.read("out/p/" + name);
    std::string text = whole;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    scratch_.write("out/p/" + name, text.replace(at, from.size(), to));
    const ProgramRun verdict = starloom("verify out/p");
    scratch_.write("out/p/" + name, whole);
    EXPECT_EQ(verdict.out, "");
    return std::to_string(verdict.status) + " " + verdict.err;
  };
  EXPECT_THAT(damaged("trace.csv", "2,drive", "2,dive"),
              MatchesRegex("2 out/p/trace.csv:[0-9]+:3: 'dive' is no event .*"));
  EXPECT_THAT(damaged("trace.csv", "ack,", ","), HasSubstr("2 out/p/trace.csv:"));
  EXPECT_THAT(damaged("trace.csv", ",data,", ",ack,"), HasSubstr("3 out/p: slot 0, proc_g0"));
  EXPECT_THAT(damaged("slots.csv", "\n1,", "\n1,1"), HasSubstr("3 out/p: slot 1, the network: reported are"));
  EXPECT_THAT(damaged("slots.csv", "\n1,", "\n2,"), HasSubstr("2 out/p/slots.csv:3:1: slot 1 is expected here"));
  EXPECT_THAT(damaged("packets.csv", "0,0,", "0,1,"), HasSubstr("3 out/p: slot "));
  EXPECT_THAT(damaged("result.json", "\"control_hops\": 64", "\"control_hops\": 65"),
              HasSubstr("3 out/p: result.json says that links.control_hops is 65, but by packets and rows it is 64"));
  EXPECT_THAT(damaged("result.json", "\"group_size\": 8", "\"group_size\": 0"),
              HasSubstr("2 out/p/result.json: 'experiment.network' is wrong"));
  EXPECT_THAT(damaged("result.json", "\"dead_couplers\": []", "\"dead_couplers\": [[0, 9]]"),
              HasSubstr("2 out/p/result.json: 'experiment.faults.dead_couplers' is not a list of pairs of groups"));
  EXPECT_THAT(damaged("result.json", "\"dead_couplers\": []", "\"dead_couplers\": 1.0"), HasSubstr("which is dead"));
  ASSERT_EQ(starloom(with("")).status, 0);
  EXPECT_THAT(starloom("verify out/p").err, HasSubstr("there is no trace.csv"));
}

// Every coupler has one row and one column, every processor a row and a column, and the netlist says which.
TEST_F(Pops, NetlistListsModulesPortsAndBindings) {
  const std::string sizes = " --set network.groups=3 --set network.group_size=6";
  ASSERT_EQ(starloom("run p.yaml --quiet --dump-netlist --set model=netlist --shuffle 5" + sizes).status, 0);
  const auto netlist = nlohmann::json::parse(scratch_.read("out/p/netlist.json"));
  const auto word = [](const nlohmann::json& entry, const char* key) { return entry.at(key).get<std::string>(); };
  std::map<std::string, int> modules;
  for (const auto& instance : netlist["instances"]) ++modules[word(instance, "module")];
  EXPECT_EQ(modules, (std::map<std::string, int>{{"PassiveStar", 9},
                                                 {"ReceiveColumn", 3},
                                                 {"StarBuffer", 18},
                                                 {"StarFabric", 1},
                                                 {"StarProcessor", 18},
                                                 {"TransmitRow", 3}}));
  std::map<std::string, std::string> direction, bound;
  for (const auto& port : netlist["ports"]) direction[word(port, "name")] = word(port, "direction");
  std::map<std::string, int> ends;
  for (const auto& binding : netlist["bindings"]) {
    const std::string port = word(binding, "port"), channel = word(binding, "channel");
    bound[port] = channel;
    ++ends[direction.at(port) + " " + channel];
  }
  EXPECT_EQ(bound.size(), 2u * 9 + 2u * 18);
  EXPECT_EQ(direction.size(), bound.size());
  EXPECT_EQ(bound.at("row_from01.couplers[2]"), "coupler_to02_from01");
  EXPECT_EQ(bound.at("column_to02.couplers[1]"), "coupler_to02_from01");
  EXPECT_EQ(bound.at("proc_g02_p05.transmit[0]"), "row_from02");
  EXPECT_EQ(bound.at("proc_g02_p05.receive[0]"), "column_to02");
  for (const char* coupler : {"coupler_to00_from00", "coupler_to02_from01"}) {
    EXPECT_EQ(ends.at(std::string("out ") + coupler), 1);
    EXPECT_EQ(ends.at(std::string("in ") + coupler), 1);
  }
  EXPECT_EQ(ends.at("out row_from00"), 6);
  EXPECT_EQ(starloom("draw p.yaml --format json --set model=netlist" + sizes).out, scratch_.read("out/p/netlist.json"));
  refuses("run p.yaml --dump-netlist", 2, "p.yaml:3:8: model: message has no netlist; use model: netlist");
}

// The picture says what the trace and the result say.
TEST_F(Pops, PictureOfCouplers) {
  const std::string options = "model=netlist network.group_size=4 routing.shift=true faults.dead_couplers=[[0,3]]";
  const auto facts = result(options);
  const std::string picture = scratch_.read("out/p/couplers.svg");
  ASSERT_EQ(starloom(with(options) + " --trace --shuffle 3 --waves").status, 0);
  EXPECT_EQ(scratch_.read("out/p/couplers.svg"), picture);
  std::map<std::string, std::vector<std::string>> drives;  // of `slot 3, coupler_to01_from02`, alive
  std::istringstream trace(scratch_.read("out/p/trace.csv"));
  std::string line;
  std::getline(trace, line);
  while (std::getline(trace, line)) {
    char kind[8];
    int slot = 0, processor = 0, from = 0, to = 0, packet = 0;
    if (std::sscanf(line.c_str(), "%d,drive,%d,%d,%d,%4[a-z],%d", &slot, &processor, &from, &to, kind, &packet) != 6)
      continue;
    if (slot >= 20 || (from + to == 3 && from * to == 0)) continue;
    drives["slot " + std::to_string(slot) + ", coupler_to0" + std::to_string(to) + "_from0" + std::to_string(from)]
        .push_back((kind[0] == 'a' ? "acknowledgement of packet " : "packet ") + std::to_string(packet));
  }
  std::map<std::string, std::string> expected, shown;
  for (const auto& [name, messages] : drives) expected[name] = messages.size() == 1 ? messages[0] : "collision";
  std::int64_t data = 0, most = 0, dead = 0;
  const XmlElement root = parse_xml(picture);
  for (const XmlElement* use : root.all("use")) {
    const std::string& text = use->children.at(0).text;
    if (text.rfind("slot ", 0) == 0) {
      shown[text.substr(0, text.find(": "))] = text.substr(text.find(": ") + 2);
    } else if (text.find(" dead") != std::string::npos) {
      ++dead;
    } else {
      const std::int64_t load = std::stoll(text.substr(text.find(' ')));
      data += load;
      most = std::max(most, load);
    }
  }
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(data, facts["links"]["flit_hops"]);
  EXPECT_EQ(most, facts["links"]["max_load"]);
  EXPECT_EQ(dead, 2 * 21);  // in 20 slots and in the whole run
  // Tiles of large networks; none of the model on arrays.
  result("model=netlist network.groups=70 network.group_size=70");
  EXPECT_LT(scratch_.read("out/p/couplers.svg").size(), 1'000'000u);
  EXPECT_THAT(scratch_.read("out/p/couplers.svg"), HasSubstr("a tile stands for 3 x 3 couplers"));
  result("");
  EXPECT_FALSE(exists("out/p/couplers.svg"));
}

TEST_F(Pops, ShowDrawsASlot) {
  scratch_.write("two.txt", "3 2 - -\n");
  ASSERT_EQ(starloom("run p.yaml --quiet --trace --set model=netlist --set 'network={topology: pops, groups: 2, "
                     "group_size: 2}' --set routing.algorithm=direct --set 'traffic={pattern: file, file: two.txt}'")
                .status,
            0);
  EXPECT_EQ(starloom("show out/p --step 0").out,
            "slot 0 of POPS(2,2): 0 couplers carry, 1 collide; 0 of 2 samplers hear something\n"
            "0 of 2 packets have reached their destinations\n"
            "\n"
            "  from / to   0   1\n"
            "          0   .   *\n"
            "          1   .   .\n"
            "\n"
            "couplers:\n"
            "  coupler_to01_from00: collision: proc_g00_p00 drives packet 0, proc_g00_p01 drives packet 1; "
            "sampled in vain by proc_g01_p00, proc_g01_p01\n");
  EXPECT_THAT(starloom("show out/p --step 9999").out,
              StartsWith("slot 9999 of POPS(2,2): 0 couplers carry, 0 collide; 0 of 0 samplers hear something\n"
                         "2 of 2 packets have reached their destinations\n"));
  scratch_.write("out/p/trace.csv",
                 "slot,event,processor,source_group,destination_group,kind,packet\n0,drive,0,0,7,data,0\n");
  refuses("show out/p --step 0", 2, "trace.csv: slot 0 names a processor or group that the network does not have");
  ASSERT_EQ(starloom("run p.yaml --quiet --force").status, 0);
  refuses("show out/p --step 0", 2, "out/p: there is no trace.csv or trace.csv.gz; run with --trace");
}

TEST_F(Pops, DrawShowsProcessorsRowsAndCouplers) {
  const ProgramRun run =
      starloom("draw p.yaml --set network.groups=3 --set network.group_size=3 --set faults.dead_couplers=[[0,2]]");
  EXPECT_EQ(run.status, 0) << run.err;
  std::map<std::string, std::vector<const XmlElement*>> shown;
  const XmlElement picture = parse_xml(run.out);
  for (const XmlElement* use : picture.all("use")) shown[use->children.at(0).text].push_back(use);
  EXPECT_EQ(shown.size(), 9u + 9u + 3u + 3u);
  EXPECT_EQ(shown.at("proc_g02_p01").size(), 2u);  // where it drives, and where it samples
  const auto at = [&](const char* name, const char* axis) { return shown.at(name).at(0)->attributes.at(axis); };
  EXPECT_EQ(at("coupler_to02_from01", "y"), at("row_from01", "y"));
  EXPECT_EQ(at("coupler_to02_from01", "x"), at("column_to02", "x"));
  for (const auto& [name, uses] : shown) {
    const bool dead = name == "coupler_to02_from00" || name == "coupler_to00_from02";
    EXPECT_EQ(uses[0]->attributes.count("class"), dead ? 1u : 0u) << name;
  }
  EXPECT_FALSE(exists("out"));
  const ProgramRun large = starloom("draw p.yaml --set network.groups=64 --set network.group_size=64");
  EXPECT_LT(large.out.size(), 100'000u);
  EXPECT_THAT(large.out, HasSubstr("4096 couplers; the middle is left out"));
}

// What `check` says of a netlist's memory is what a run takes, within a third.
TEST_F(Pops, MemoryIsEstimated) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer's own memory is not estimated";
#endif
  for (const std::string values :
       {"network.groups=64 network.group_size=64", "network.groups=16 network.group_size=256",
        "network.groups=200 network.group_size=4 routing.algorithm=offline",
        "network.groups=32 network.group_size=64 routing.algorithm=comparator-sort"}) {
    result(values + " model=netlist");
    const double peak = nlohmann::json::parse(scratch_.read("out/p/timing.json"))["memory_bytes"].get<double>() / 1e6;
    std::string words = with(values + " model=netlist");
    words = "check p.yaml" + words.substr(words.find(" --set"));
    const std::string said = starloom(words).out;
    const std::size_t at = said.find("about ", said.find("  memory"));
    ASSERT_NE(at, std::string::npos) << said;
    const double estimate = std::stod(said.substr(at + 6));
    EXPECT_GT(estimate, peak / 1.33) << values;
    EXPECT_LT(estimate, peak * 1.33) << values;
  }
}

TEST_F(Pops, CheckAndListKnowThem) {
  const ProgramRun check = starloom("check p.yaml");
  EXPECT_EQ(check.status, 0);
  EXPECT_EQ(check.out,
            "p.yaml: valid\n"
            "  network       POPS(8,4), 32 processors, 16 couplers, 128 transmitters, 128 receivers\n"
            "  routing       randomized\n"
            "  traffic       random-permutation: 32 packets\n"
            "  bound         published_formula_slots 95\n"
            "  a permutation here: offline 4, comparator-sort 60, randomized about 46.0 slots\n"
            "  memory        about 18 MB\n"
            "  run time      below a second, an estimate for 46 slots\n");
  const std::string turns = "  remark        one coupler: the processors take turns, one a slot (round robin)\n";
  EXPECT_THAT(starloom("check p.yaml --set network.groups=1").out, HasSubstr(turns));
  EXPECT_THAT(starloom("run p.yaml --force --set network.groups=1").out, HasSubstr(turns));
  // Estimates know the level, the tables of the algorithm, and what cannot be known.
  const std::string netlist = "check p.yaml --set model=netlist --set network.groups=256 --set network.group_size=256";
  EXPECT_THAT(starloom(netlist).out,
              HasSubstr("  memory        about 231 MB\n  run time      below a second, an estimate for 35 slots\n"));
  EXPECT_THAT(starloom(netlist + " --set routing.algorithm=direct").out,
              HasSubstr("  run time      not known before the run\n"));
  const auto list = nlohmann::json::parse(starloom("list --json").out);
  for (const auto& algorithm : list["algorithms"]) {
    if (algorithm["name"] != "randomized") continue;
    EXPECT_EQ(algorithm.dump(),
              R"({"keys":["C","literal","guard","shift"],"name":"randomized","storage":null,"topologies":["pops"]})");
  }
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
// POPS networks in the program: every fault of an experiment, its exit status and its exact text.
#include "cli/pops_program.hpp"

namespace starloom {
namespace {

using testing::MatchesRegex;

class PopsBadInput : public PopsProgram {};

TEST_F(PopsBadInput, RefusesSizes) {
  refuses_values("network.groups=0", "--set network.groups: 0 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=-3", "--set network.group_size: -3 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=0", "--set network.group_size: 0 is out of range (1 to 1073741824)");
  refuses_values("network.groups=-1", "--set network.groups: -1 is out of range (1 to 1073741824)");
  refuses_values("network.group_size=1.5", "--set network.group_size: an integer is expected, not 1.5");
  refuses_values("network.groups=2.5", "--set network.groups: an integer is expected, not 2.5");
  refuses_values(
      "network.shape=[4,8]",
      "--set network.shape: the topology pops does not have this key, but others do; its keys: groups, group_size");
  refuses_values("network.gruops=4", "--set network.gruops: unknown key (did you mean network.groups?)");
  refuses_values("network.groups=1073741824",
                 "p.yaml:2:1: network: a POPS network has at most 1073741824 processors, not 8589934592");
  refuses_values(
      "network.groups=100000",
      "p.yaml:2:1: network: 100000 groups have 10000000000 couplers, more than 536870912; choose fewer groups");
  refuses_values(
      "network.groups=3",
      "p.yaml:4:22: routing: randomized needs a group size that divides the number of groups or is a multiple "
      "of it, not POPS(8,3); offline and comparator-sort route any sizes");
  refuses_values(
      "network.group_size=3",
      "p.yaml:4:22: routing: randomized needs a group size that divides the number of groups or is a multiple "
      "of it, not POPS(3,4); offline and comparator-sort route any sizes");
  const ProgramRun large = starloom(with("network.groups=20000 network.group_size=50000"), "ulimit -v 9000000;");
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(large.err, MatchesRegex("p.yaml:2:1: network: this network needs about 16 GB of memory, and [0-9]+ "
                                      "[MG]B are available; choose a smaller one\n"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(PopsBadInput, RefusesPermutationFiles) {
  std::string most;  // of the 32 entries, but the last
  for (int node = 0; node < 31; ++node) most += std::to_string(node) + " ";
  const auto file = [&](const std::string& text, const std::string& error) {
    scratch_.write("f.txt", text);
    refuses("run p.yaml --set 'traffic={pattern: file, file: f.txt}'", 2, error);
  };
  file("1 0 2\n", "f.txt:2:1: the network has 32 nodes, the file 3 entries");
  file(most + "\n", "f.txt:2:1: the network has 32 nodes, the file 31 entries");
  file("", "f.txt:1:1: the network has 32 nodes, the file 0 entries");
  file(most + "31 32\n", "f.txt:1:87: trailing text '32': the network has 32 nodes, the file 33 entries");
  file(most + "31\nend\n", "f.txt:2:1: trailing text 'end': the network has 32 nodes, the file 33 entries");
  file(most + "32\n", "f.txt:1:84: destination of node 31: 32 is not a node: nodes are 0 to 31");
  file(most + "-1\n", "f.txt:1:84: destination of node 31: -1 is not a node: nodes are 0 to 31");
  file(most + "x\n", "f.txt:1:84: destination of node 31: 'x' is not an integer");
  file(most + "0\n", "f.txt:1:84: destination 0 of node 31 is already that of node 0 (f.txt:1:1)");
  refuses("run p.yaml --set 'traffic={pattern: file, file: none.txt}'", 2,
          "--set traffic: traffic.file: cannot read none.txt: No such file or directory");
  EXPECT_FALSE(exists("out"));
}

TEST_F(PopsBadInput, RefusesOptions) {
  refuses_values("routing.C=3.5",
                 "--set routing.C: 3.5, but C must be at least e^(1+1/e) = 3.927014395; 4 fits the published tables");
  refuses_values("routing.C=1e19",
                 "--set routing.C: 1e+19, but C is at most 1000000 (with a large C hardly any processor "
                 "takes part); 4 fits the published tables");
  refuses_values("routing.C=.inf", "--set routing.C: a number is expected, not \".inf\"");
  refuses_values("routing.literal=true network.groups=8",
                 "--set routing.literal: it applies to d > g > 1, not to "
                 "POPS(8,8)");
  refuses_values("routing.shift=true", "--set routing.shift: it is defined for d = g, not for POPS(8,4)");
  refuses_values("routing.gaurd=true", "--set routing.gaurd: unknown key (did you mean routing.guard?)");
  refuses_values("routing.C=.nan", "--set routing.C: a number is expected, not \".nan\"");
  refuses_values("routing.C=3.927",
                 "--set routing.C: 3.927, but C must be at least e^(1+1/e) = 3.927014395; 4 fits the published tables");
  refuses_values("seed=1.5", "--set seed: an integer is expected, not 1.5");
  refuses_values("seed=x", "--set seed: an integer is expected, not \"x\"");
  scratch_.write("c.yaml", "schema: 1\nexperiment: p.yaml\nruns: 0\nkeep: [steps]\n");
  refuses("campaign c.yaml", 2, "c.yaml:3:7: runs: 0 is out of range (1 to 10^9)");
  refuses_values("limits.steps=0", "--set limits.steps: 0 is out of range (1 to 10^18)");
  refuses_values("seed=-1", "--set seed: -1 is out of range (0 to 2^63 - 1)");
  const ProgramRun grid = starloom(with("routing.algorithm=greedy"));
  EXPECT_EQ(grid.status, 2);
  EXPECT_EQ(grid.err,
            "--set routing.algorithm: greedy works on networks of links, not on pops; these work on pops: randomized, "
            "comparator-sort, offline, direct, broadcast, data-sum\n");
  scratch_.write("m.yaml", std::string(small_experiment) + "faults: {dead_couplers: 0.1}\n");
  refuses("run m.yaml", 2,
          "m.yaml:5:25: faults.dead_couplers: greedy cannot handle dead couplers; use randomized on pops");
  refuses("run m.yaml --set routing.algorithm=direct --set faults={}", 2,
          "--set routing.algorithm: direct works on pops, not on mesh; these work on mesh: vc-wormhole, greedy, ...");
}

TEST_F(PopsBadInput, RefusesTraffic) {
  refuses_values("traffic.pattern=random-function",
                 "p.yaml:5:1: traffic: two packets go to processor 5, the second from 7; POPS algorithms route "
                 "permutations");
  refuses_values("traffic.rate=0.1",
                 "p.yaml:5:20: traffic: random-permutation creates packets during the run, but on POPS networks all "
                 "packets must exist in slot 0; use a permutation without rate");
  scratch_.write("g.yaml", "tasks: 2\nedges: [{from: 0, to: 1, bandwidth: 1}]\n");
  refuses("run p.yaml --set 'traffic={pattern: application, file: g.yaml, steps: 10}'", 2,
          "--set traffic: application creates packets during the run, but on POPS networks all packets must exist in "
          "slot 0; use a permutation without rate");
  refuses_values("traffic.flits=2",
                 "--set traffic.flits: traffic: packets of 2 flits, but randomized moves only packets of one flit");
  refuses_values(
      "traffic.pattern=transpose",
      "--set traffic.pattern: traffic: transpose exchanges rows and columns and needs a square grid, not the mesh [4, "
      "8]; make both sides equal, or choose reversal (patterns see POPS(8,4) as the mesh [4, 8], a row for "
      "each group)");
  refuses_values(
      "traffic.pattern=bit-reversal network.groups=3 routing.algorithm=offline",
      "--set traffic.pattern: traffic: bit-reversal acts on the bits of node numbers and needs 2^k nodes, but the mesh "
      "[3, 8] has 24; choose another shape, or reversal (patterns see POPS(8,3) as the mesh [3, 8], a "
      "row for each group)");
  refuses_values("traffic.pattern=shift traffic.offset=[1,2]",
                 "--set traffic.offset: an integer is expected, not a list");
  refuses_values("routing.algorithm=broadcast",
                 "p.yaml:5:1: traffic: packet 0 of proc_g00_p00 has a destination, but broadcast sends packets to all "
                 "processors; use traffic.pattern: packets and leave the destinations empty");
  refuses_values("routing.algorithm=data-sum",
                 "p.yaml:5:1: traffic: data-sum sends a value from every processor to processor 0; use traffic: "
                 "{pattern: hot-spot, targets: [0]}");
  scratch_.write("late.csv", "cycle,source,destination,flits\n0,1,2,1\n3,2,1,1\n");
  scratch_.write("all.csv", "cycle,source,destination,flits\n0,1,,1\n");
  scratch_.write("twice.csv", "cycle,source,destination,flits\n0,1,2,1\n0,1,3,1\n");
  const auto file = [&](const std::string& name, const std::string& text) {
    refuses("run p.yaml --set 'traffic={pattern: packets, file: " + name + "}'", 2, "--set traffic: " + text);
  };
  file("late.csv",
       "packet 1 of proc_g00_p02 is created in slot 3, but on POPS networks all packets must exist in slot 0");
  file("all.csv", "packet 0 of proc_g00_p01 is sent to all processors, which only broadcast supports");
  file("twice.csv", "packet 1 of proc_g00_p01 is its second; POPS algorithms route permutations");
  scratch_.write("part.txt", "1 0 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n");
  refuses("run p.yaml --set routing.algorithm=comparator-sort --set 'traffic={pattern: file, file: part.txt}'", 2,
          "--set traffic: comparator-sort needs a packet in every processor, but proc_g00_p02 has none; use "
          "randomized or offline for partial permutations");
  EXPECT_FALSE(exists("out"));
}

TEST_F(PopsBadInput, HasNoPlanToPrint) {
  refuses("plan p.yaml --set routing.algorithm=offline", 2,
          "--set routing.algorithm: offline is an algorithm for pops networks, which plan does not cover; planners "
          "are: multistage, multistage-plus, offline-worms, product");
}

TEST_F(PopsBadInput, RefusesDeadCouplers) {
  const std::string square = "network.group_size=4 routing.shift=true ";
  refuses_values(square + "faults.dead_couplers=1.5", "--set faults.dead_couplers: 1.5 is out of range (0 to 1)");
  refuses_values(square + "faults.dead_couplers=many",
                 "--set faults.dead_couplers: a rate, or a list of pairs of groups such as "
                 "[[0, 3], [2, 2]], is expected, not \"many\"");
  refuses_values(square + "faults.dead_couplers=[[0,1],3]",
                 "--set faults.dead_couplers: a pair of groups such as [0, 3] is expected");
  refuses_values(square + "faults.dead_couplers=[[0,4]]",
                 "--set faults.dead_couplers: there is no group 4; groups are 0 to 3");
  refuses_values(square + "faults.dead_couplers=[[0,3],[1,3],[2,3]]",
                 "--set faults.dead_couplers: too many dead couplers: there is no path of three live couplers from "
                 "group 0 to group 3");
  // Any number of couplers would do, but packets take three.
  refuses_values("network.group_size=2 network.groups=2 routing.shift=true faults.dead_couplers=[[0,0],[1,1]]",
                 "--set faults.dead_couplers: too many dead couplers: there is no path of three live couplers from "
                 "group 0 to group 0");
  refuses_values("network.group_size=1 network.groups=1 faults.dead_couplers=1",
                 "--set faults.dead_couplers: too many dead couplers: there is no path of three live couplers from "
                 "group 0 to group 0");
  // All that is wrong, in one pass.
  refuses_values(square + "traffic.flits=2 routing.C=1 faults.dead_couplers=[[0,4],[-1,2]]",
                 "--set traffic.flits: traffic: packets of 2 flits, but randomized moves only packets of one flit\n"
                 "--set faults.dead_couplers: there is no group 4; groups are 0 to 3\n"
                 "--set faults.dead_couplers: there is no group -1; groups are 0 to 3\n"
                 "--set routing.C: 1, but C must be at least e^(1+1/e) = 3.927014395; 4 fits the published tables");
  refuses_values(square + "faults.dead_coupler=0.1",
                 "--set faults.dead_coupler: unknown key (did you mean faults.dead_couplers?)");
  refuses_values("faults.dead_couplers=0.01",
                 "p.yaml:4:22: routing: randomized handles dead couplers only if d = g, not on POPS(8,4)");
  refuses_values("routing.algorithm=offline faults.dead_couplers=0.01",
                 "--set faults.dead_couplers: offline cannot handle dead couplers; use randomized on pops");
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
// POPS networks in the program: what a run leaves behind, and what check and verify say of it.
#include <algorithm>

#include "cli/pops_program.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class Pops : public PopsProgram {};

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
  EXPECT_EQ(run["algorithm"]["published_formula_slots"], 2 * (16 + 4 + 21) + 6 + 7);
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
    EXPECT_THAT(said, StartsWith("p.yaml: step-limit: limits.steps stopped the run; raise it to see the end\n"));
    // All are named, or their number is.
    const auto lines = std::count(said.begin(), said.end(), '\n') - 1;
    if (said.find("and others: " + left + " packets undelivered in total\n") == std::string::npos) {
      EXPECT_EQ(std::to_string(lines), left) << said;
    }
    EXPECT_EQ(cut["outcome"], "step-limit") << algorithm;
    EXPECT_TRUE(cut["schedule"].is_null());
  }
}

// No cycle begins that would not fit, and a drain stops where the limit is.
TEST_F(Pops, TheStepLimitIsNeverOverrun) {
  const std::string wide = "network.group_size=32 ";  // eight classes: a drain of seven slots
  const auto whole = result(wide);
  const int slots = whole["schedule"]["steps"], drain = whole["algorithm"]["drain_slots"];
  ASSERT_EQ(drain, 7);
  for (const std::string model : {"model=netlist", "model=message"})
    for (const int limit : {1, 18, slots - drain - 1, slots - drain, slots - 3, slots - 1}) {
      SCOPED_TRACE(model + ", limit " + std::to_string(limit));
      result(wide + model + " limits.steps=" + std::to_string(limit), 4);
      const std::string rows = scratch_.read("out/p/slots.csv");
      const auto ran = static_cast<int>(std::count(rows.begin(), rows.end(), '\n')) - 1;
      EXPECT_EQ(ran, limit < slots - drain ? limit / 5 * 5 : limit);
    }
  EXPECT_EQ(result(wide + "limits.steps=" + std::to_string(slots))["outcome"], "completed");
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

// Smaller ones, and models with dependent slots, run in one thread, with a message.
TEST_F(Pops, ManyProcessorsAreSharedAmongThreads) {
  const std::string base =
      "run p.yaml --force --quiet --no-packets --set network.groups=512 --set network.group_size=256";
  const char* const no_more = "this model of the network cannot use more";
  for (const std::string algorithm : {"direct", "randomized"}) {
    const std::string run = base + " --set routing.algorithm=" + algorithm;
    ASSERT_EQ(starloom(run + " --out one --threads 1").err, "");
    const ProgramRun shared = starloom(run + " --out two --threads 2");
    EXPECT_EQ(shared.status, 0);
    EXPECT_THAT(shared.err, testing::Not(HasSubstr(no_more)));
    for (const char* name : {"/result.json", "/slots.csv"}) {
      EXPECT_NE(scratch_.read(std::string("one") + name), "") << name;
      EXPECT_TRUE(scratch_.read(std::string("one") + name) == scratch_.read(std::string("two") + name)) << name;
    }
  }
  for (const char* values : {"routing.algorithm=direct", "routing.algorithm=comparator-sort"}) {
    const ProgramRun alone = starloom(with(values) + " --threads 2");
    EXPECT_EQ(alone.status, 0);
    EXPECT_THAT(alone.err, HasSubstr(std::string("starloom: --threads 2: the run uses 1 thread, because ") + no_more));
  }
  const ProgramRun planned = starloom(base + " --set routing.algorithm=offline --threads 2");
  EXPECT_THAT(planned.err, HasSubstr(no_more));
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
    EXPECT_THAT(
        verdict.out,
        MatchesRegex(
            "out/p: no violation \\([0-9]+ packets, [0-9]+ rows of the trace\\)(; the run ended as [a-z-]+)?\n"));
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
              MatchesRegex("2 out/p/trace.csv:[0-9]+:3: 'dive' is not a valid event .*"));
  EXPECT_THAT(damaged("trace.csv", "ack,", ","), HasSubstr("2 out/p/trace.csv:"));
  EXPECT_THAT(damaged("trace.csv", ",data,", ",ack,"), HasSubstr("3 out/p: slot 0, proc_g0"));
  EXPECT_THAT(damaged("slots.csv", "\n1,", "\n1,1"), HasSubstr("3 out/p: slot 1, the network: reported: "));
  EXPECT_THAT(damaged("slots.csv", "\n1,", "\n2,"), HasSubstr("2 out/p/slots.csv:3:1: slot 1 is expected here"));
  EXPECT_THAT(damaged("packets.csv", "0,0,", "0,1,"), HasSubstr("3 out/p: slot "));
  EXPECT_THAT(damaged("result.json", "\"control_hops\": 64", "\"control_hops\": 65"),
              HasSubstr("3 out/p: in result.json links.control_hops is 65, but packets and rows give 64"));
  EXPECT_THAT(damaged("result.json", "\"group_size\": 8", "\"group_size\": 0"),
              HasSubstr("2 out/p/result.json: 'experiment.network.group_size' is out of range"));
  EXPECT_THAT(damaged("result.json", "\"groups\": 4", "\"groups\": 30000"),
              HasSubstr("2 out/p/result.json: 'experiment.network' has more couplers than a run can have"));
  EXPECT_EQ(damaged("result.json", "\"literal\": false", "\"literal\": 3"),
            "2 out/p/result.json: experiment.routing.literal: true or false is expected, not 3\n");
  EXPECT_THAT(damaged("result.json", "\"literal\": false", "\"literal\": true"), HasSubstr("3 out/p: "));
  EXPECT_THAT(damaged("result.json", "\"dead_couplers\": []", "\"dead_couplers\": [[0, 9]]"),
              HasSubstr("2 out/p/result.json: 'experiment.faults.dead_couplers' is not a list of pairs of groups"));
  EXPECT_THAT(damaged("result.json", "\"dead_couplers\": []", "\"dead_couplers\": 1.0"), HasSubstr("which is dead"));
  ASSERT_EQ(starloom(with("")).status, 0);
  EXPECT_THAT(starloom("verify out/p").err, HasSubstr("there is no trace.csv"));
}

// The memory of a netlist that `check` estimates is that of a run, within a third.
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
  EXPECT_EQ(
      check.out,
      "p.yaml: valid\n"
      "  permutation   slots for any: offline 4, comparator-sort 60; for a random one: direct about 45.4, randomized "
      "about 46.0\n"
      "  formula B     95 slots, by the published formula (B) of an older deterministic algorithm\n"
      "  network       POPS(8,4), 32 processors, 16 couplers, 128 transmitters, 128 receivers\n"
      "  routing       randomized\n"
      "  traffic       random-permutation: 32 packets\n"
      "  memory        about 18 MB\n"
      "  run time      below a second, an estimate for 46 slots\n");
  const std::string turns = "  remark        one coupler: one processor per slot, in turn\n";
  EXPECT_THAT(starloom("check p.yaml --set network.groups=1").out, HasSubstr(turns));
  EXPECT_THAT(starloom("run p.yaml --force --set network.groups=1").out, HasSubstr(turns));
  // Estimates know the level, the tables of the algorithm, and what cannot be known.
  const std::string netlist = "check p.yaml --set model=netlist --set network.groups=256 --set network.group_size=256";
  EXPECT_THAT(starloom(netlist).out,
              HasSubstr("  memory        about 231 MB\n  run time      below a second, an estimate for 36 slots\n"));
  EXPECT_THAT(starloom(netlist + " --set routing.algorithm=direct").out,
              HasSubstr("  run time      not known before the run\n"));
  const auto list = nlohmann::json::parse(starloom("list --json").out);
  for (const auto& algorithm : list["algorithms"]) {
    if (algorithm["name"] != "randomized") continue;
    EXPECT_EQ(algorithm.dump(),
              R"({"keys":["C","literal","guard","shift"],"name":"randomized","needs":["pops"],"storage":null,)"
              R"("topologies":["pops"]})");
  }
}

}  // namespace
}  // namespace starloom

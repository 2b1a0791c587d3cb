// SPDX-License-Identifier: Apache-2.0
// `regress`: scenarios, their expectations and golden files.
#include "cli/program_run.hpp"

#include <nlohmann/json.hpp>

namespace starloom {
namespace {

using testing::HasSubstr;

/// Regressions of a small folder of scenarios.
class Regress : public ProgramTest {
 protected:
  Regress() {
    std::filesystem::create_directories(scratch_.file("s/deep"));
    scratch_.write("s/good.yaml", std::string(small_experiment) + "expect: {steps: 6}\n");
    scratch_.write("s/deep/limit.yaml",
                   std::string(small_experiment) + "limits: {steps: 2}\nexpect: {outcome: step-limit}\n");
    scratch_.write("s/graph.yaml", "tasks: 2\nedges: []\n");
    scratch_.write("s/program.yaml", "schema: 1\nranks: 2\nprogram: []\n");
    scratch_.write("s/program.yaml", "schema: 1\nranks: 2\nprogram: []\n");
    scratch_.write("s/campaign.yaml", "schema: 1\nname: x\nbase: {}\n");
  }
};

TEST_F(Regress, RunsEveryScenario) {
  const ProgramRun run = starloom("regress s");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out,
              testing::MatchesRegex("scenario           result  seconds\n"
                                    "s/deep/limit.yaml  ran     +[0-9.]+\n"
                                    "s/good.yaml        ran     +[0-9.]+\n"
                                    "ran: met its expectations, but has no golden file to compare with; --update "
                                    "writes one\n"
                                    "2 of 2 scenarios passed\n"));
  EXPECT_EQ(run.err,
            "skipped, because they are campaigns or data files: s/campaign.yaml, s/graph.yaml, s/program.yaml\n");
  EXPECT_FALSE(exists("out"));
  EXPECT_THAT(starloom("regress s/good.yaml s --filter deep").out, HasSubstr("1 of 1 scenarios passed\n"));
}

TEST_F(Regress, SaysThatTheFilterMatchesNothing) {
  const ProgramRun run = starloom("regress s --filter zzz");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "--filter zzz: none of 5 YAML files has this in its path\n");
}

TEST_F(Regress, NamesWhatFailed) {
  scratch_.write("s/miss.yaml", std::string(small_experiment) + "expect: {steps: 5}\n");
  scratch_.write("s/no.yaml", "schema: 1\nnetwork: {\n");
  const ProgramRun run = starloom("regress s --jobs 1 --junit report.xml");
  EXPECT_EQ(run.status, 6);
  EXPECT_THAT(run.out, HasSubstr("    status 6\n    s/miss.yaml:5:10: expectation missed: steps is 6, expected 5; "));
  EXPECT_THAT(run.out, HasSubstr("    status 2\n    s/no.yaml:3:1: not YAML: "));
  EXPECT_THAT(run.out, HasSubstr("2 of 4 scenarios passed\n"));
  EXPECT_THAT(scratch_.read("report.xml"),
              HasSubstr("<testsuite name=\"starloom regress\" tests=\"4\" failures=\"2\">"));
  EXPECT_THAT(scratch_.read("report.xml"), HasSubstr("<testcase name=\"s/good.yaml\" time=\""));
}

// A scenario that cannot be read as one must not pass by.
TEST_F(Regress, MisspeltScenariosFail) {
  const std::string experiment = small_experiment;
  scratch_.write("s/network.yaml", std::string(experiment).replace(experiment.find("network"), 7, "netwrok"));
  scratch_.write("s/schema.yaml", std::string(experiment).replace(0, 6, "shcema"));
  scratch_.write("s/damaged.yaml", "schema: 1\nnetwrok: {\n");
  ProgramRun run = starloom("regress s");
  EXPECT_EQ(run.status, 6);
  EXPECT_THAT(run.out, HasSubstr("    s/network.yaml:2:1: unknown key netwrok (did you mean network?)\n"));
  EXPECT_THAT(run.out, HasSubstr("    s/schema.yaml:1:1: unknown key shcema (did you mean schema?)\n"));
  EXPECT_THAT(run.out, HasSubstr("    s/damaged.yaml:3:1: not YAML: "));
  EXPECT_THAT(run.out, HasSubstr("2 of 5 scenarios passed\n"));
  EXPECT_EQ(run.err,
            "skipped, because they are campaigns or data files: s/campaign.yaml, s/graph.yaml, s/program.yaml\n");
  // A file given by name runs, even if it is not a scenario.
  run = starloom("regress s/good.yaml s/graph.yaml");
  EXPECT_EQ(run.status, 6);
  EXPECT_THAT(run.out, HasSubstr("1 of 2 scenarios passed\n"));
}

// A file that is named is run, whatever its name, or refused, but never skipped.
TEST_F(Regress, WhatIsNamedRunsOrIsRefused) {
  const std::string bad = std::string(small_experiment) + "expect: {steps: 5}\n";
  for (const char* name : {"bad.yml", "bad.YAML", "bad.json", "bad.csv", "bad"}) {
    scratch_.write(name, bad);
    const ProgramRun run = starloom(std::string("regress s/good.yaml ") + name);
    EXPECT_EQ(run.status, 6) << name;
    EXPECT_THAT(run.out, HasSubstr("1 of 2 scenarios passed\n")) << name;
  }
  std::filesystem::create_directory(scratch_.file("empty"));
  for (const char* words : {"regress s empty", "regress empty", "regress s empty --update", "regress empty --filter x"})
    refuses(words, 2, "empty: has no scenario; a scenario is a YAML file with the keys schema and network");
  refuses("regress s/good.yaml s/campaign.yaml", 2,
          "s/campaign.yaml: this is a campaign, not a scenario; starloom campaign s/campaign.yaml runs it");
}

TEST_F(Regress, FoldersAreSearchedForAllEndingsOfYaml) {
  std::filesystem::create_directory(scratch_.file("t"));
  for (const char* name : {"t/a.yml", "t/b.YML", "t/c.Yaml", "t/d.yaml", "t/e.json", "t/yaml"})
    scratch_.write(name, small_experiment);
  EXPECT_THAT(starloom("regress t").out, HasSubstr("4 of 4 scenarios passed\n"));
  scratch_.write("t/a.yaml", small_experiment);
  refuses("regress t", 2, "t/a.yml: would share a.golden.json with a.yaml; rename one of them");
}

TEST_F(Regress, GoldenDigests) {
  ASSERT_EQ(starloom("regress s --update --filter good").status, 0);
  EXPECT_TRUE(exists("s/good.golden.json"));
  EXPECT_FALSE(exists("s/deep/limit.golden.json"));
  const auto golden = nlohmann::json::parse(scratch_.read("s/good.golden.json"));
  EXPECT_EQ(golden.size(), 5u);
  for (const char* name : {"trace.csv", "packets.csv", "result.json"})
    EXPECT_EQ(golden.at(name).get<std::string>().size(), 64u);
  EXPECT_EQ(starloom("regress s").status, 0);
  scratch_.write("s/good.yaml", std::string(small_experiment) + "expect: {steps: 6}\nseed: 2\n");
  const ProgramRun changed = starloom("regress s");
  EXPECT_EQ(changed.status, 6);
  EXPECT_THAT(
      changed.out,
      HasSubstr("    result.json differ from good.golden.json; to accept the new result: starloom regress --update "
                "s/good.yaml\n    result.json differs in its experiment, or in metrics without a value\n"));
}

// Each packet by itself: four rows of the trace. One with a shorter path is found at its row.
TEST_F(Regress, NamesFiguresAndRowsThatChanged) {
  const auto write_packets = [&](int changed) {
    std::string rows = "cycle,source,destination,flits\n";
    for (int i = 0; i < 1500; ++i) rows += std::to_string(10 * i) + (i == changed ? ",0,1,1\n" : ",0,2,1\n");
    scratch_.write("s/p.csv", rows);
  };
  scratch_.write("s/good.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [1, 3]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: packets, file: p.csv}\n");
  write_packets(-1);
  ASSERT_EQ(starloom("regress s --update --filter good").status, 0);
  const std::string missed =
      "    trace.csv, packets.csv, result.json differ from good.golden.json; to accept the new result: starloom "
      "regress --update s/good.yaml\n    p.csv has changed; ";
  const std::string metrics =
      "distance.mean is 1.9993333333333334, was 2.0 (-0.03 %); hops.mean is 1.9993333333333334, was 2.0 (-0.03 %); "
      "latency.mean is 1.9993333333333334, was 2.0 (-0.03 %); "
      "links.flit_hops is 2999, was 3000 (-0.03 %); trace.csv has 5999 rows, had 6000, and differs first in rows ";
  write_packets(600);
  EXPECT_THAT(
      starloom("regress s --filter good").out,
      HasSubstr(missed + metrics +
                "2001 to 3000, steps 5000 to 7500; packets.csv differs first in rows 1 to 1000, packets 0 to 999\n"));
  write_packets(1499);
  EXPECT_THAT(starloom("regress s --filter good").out,
              HasSubstr(missed + "steps is 14991, was 14992 (-0.007 %); " + metrics +
                        "5001 to 6000, steps 12500 to 14991; packets.csv differs first in rows 1001 to 1500, packets "
                        "1000 to 1499\n"));
}

TEST_F(Regress, NamesDataFilesThatChanged) {
  const std::string packets = "cycle,source,destination,flits\n0,0,5,1\n";
  scratch_.write("s/p.csv", packets);
  scratch_.write("s/data.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: packets, file: p.csv}\n");
  EXPECT_EQ(starloom("regress s/data.yaml --update").status, 0);
  const auto said = [&](const std::string& content) {
    scratch_.write("s/p.csv", content);
    const ProgramRun run = starloom("regress s/data.yaml");
    EXPECT_EQ(run.status, 6);
    return run.out;
  };
  EXPECT_THAT(
      said("cycle,source,destination,flits\r\n0,0,5,1\r\n"),
      HasSubstr("\n    p.csv has changed, but only its line ends (CR LF or LF); git on Windows changes them\n"));
  EXPECT_THAT(said(packets + "\n"), HasSubstr("\n    p.csv has changed\n"));
  EXPECT_THAT(said(packets + "0,3,4,1\n"), HasSubstr("\n    p.csv has changed; "));
  // A wrong digest in the golden file is a difference.
  scratch_.write("s/p.csv", packets);
  auto golden = nlohmann::ordered_json::parse(scratch_.read("s/data.golden.json"));
  golden["inputs"]["p.csv"] = "0";
  scratch_.write("s/data.golden.json", golden.dump());
  EXPECT_THAT(starloom("regress s/data.yaml").out, HasSubstr("    inputs differ from "));
  // Golden files of earlier versions do not have it.
  golden.erase("inputs");
  scratch_.write("s/data.golden.json", golden.dump());
  EXPECT_EQ(starloom("regress s/data.yaml").status, 0);
}

TEST_F(Regress, GoldenFilesHaveNoLongLists) {
  std::string places = "2";
  for (int node = 1; node < 36; ++node) places += ", 1";
  scratch_.write("s/good.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [6, 6]}\ntraffic: {pattern: reversal}\n"
                 "routing: {algorithm: multistage, scheme: any, places: [" +
                     places + "]}\n");
  ASSERT_EQ(starloom("regress s --update --filter good").status, 0);
  const auto golden = nlohmann::json::parse(scratch_.read("s/good.golden.json"));
  const auto& shown = golden.at("figures").at("storage").at("places");
  EXPECT_EQ(shown.at("values"), 36);
  EXPECT_EQ(shown.at("sha256").get<std::string>().size(), 16u);
}

}  // namespace
}  // namespace starloom

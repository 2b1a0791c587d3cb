// SPDX-License-Identifier: Apache-2.0
// The scenarios are regressions: each says what it shows, can fail, and turns red when a byte changes.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program_run.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class Golden : public ProgramTest {
 protected:
  Golden() { copy_scenarios(scratch_.path()); }

  /// The regression of one scenario fails with this line and no other scenario runs.
  void turns_red(const std::string& name, const std::string& line) const {
    const ProgramRun run = starloom("regress scenarios --filter /" + name + ".yaml");
    EXPECT_EQ(run.status, 6) << name;
    EXPECT_THAT(run.out, HasSubstr("scenarios/" + name + ".yaml  FAILED")) << name;
    EXPECT_THAT(run.out, HasSubstr("    " + line)) << name;
    EXPECT_THAT(run.out, HasSubstr("0 of 1 scenarios passed\n")) << name;
  }
  std::string file(const std::string& name) const { return "scenarios/" + name; }
};

TEST_F(Golden, EveryScenarioSaysWhatItShowsAndWhatItExpects) {
  std::set<std::string> files;
  for (const std::string& name : scenario_names()) {
    const std::string text = scenario_text(name);
    EXPECT_EQ(text.rfind("# ", 0), 0u) << name;
    EXPECT_THAT(text, HasSubstr("\nexpect:\n  outcome: ")) << name;
    EXPECT_TRUE(exists(file(name + ".golden.json"))) << name;
    files.insert({name + ".yaml", name + ".golden.json"});
  }
  for (const std::string& name : scenario_names(probe_scenarios())) {
    const std::string text = scenario_text(name);
    EXPECT_EQ(text.rfind("# ", 0), 0u) << name;
    EXPECT_THAT(text, HasSubstr("\nexpect:\n  outcome: ")) << name;
    EXPECT_TRUE(std::filesystem::exists(probe_scenarios() / (name + ".golden.json"))) << name;
  }
  EXPECT_GE(files.size(), 2u * 25);
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.file("scenarios")))
    EXPECT_TRUE(entry.is_directory() || files.count(entry.path().filename().string()) == 1) << entry.path();
}

TEST_F(Golden, EveryDataFileIsUsed) {
  std::string all;
  for (const std::string& name : scenario_names()) all += scenario_text(name);
  for (const char* folder : {"scenarios/data", "applications", "graphs"})
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.file(folder)))
      EXPECT_THAT(all, HasSubstr("/" + entry.path().filename().string()));
}

TEST_F(Golden, ChangedDigestsTurnTheRegressionRed) {
  const auto golden = nlohmann::ordered_json::parse(scratch_.read(file("vopd_4x4.golden.json")));
  for (const char* name : {"trace.csv", "packets.csv", "result.json"}) {
    auto changed = golden;
    std::string text = golden.at(name).get<std::string>();
    text[17] = text[17] == '0' ? '1' : '0';
    changed[name] = text;
    scratch_.write(file("vopd_4x4.golden.json"), changed.dump());
    turns_red(
        "vopd_4x4",
        name + std::string(" differ from vopd_4x4.golden.json; to accept the new result: starloom regress --update "));
    changed.erase(name);
    scratch_.write(file("vopd_4x4.golden.json"), changed.dump());
    turns_red("vopd_4x4", name + std::string(" differ from vopd_4x4.golden.json; "));
  }
  scratch_.write(file("vopd_4x4.golden.json"), "{");
  turns_red("vopd_4x4", "scenarios/vopd_4x4.golden.json:1:2: this is not JSON: the file ends here");
  ASSERT_EQ(starloom("regress scenarios --update --filter /vopd_4x4.yaml").status, 0);
  EXPECT_EQ(nlohmann::ordered_json::parse(scratch_.read(file("vopd_4x4.golden.json"))), golden);
}

// A golden file may say no more than digests; what it says beside them must be so.
TEST_F(Golden, FiguresAndBlocks) {
  const std::string name = file("kunde_48x48_greedykill.golden.json");
  const auto golden = nlohmann::ordered_json::parse(scratch_.read(name));
  auto changed = golden;
  changed["figures"]["links"]["flit_hops"] = 30;
  changed["figures"]["queue"]["node"] = 1;
  changed["figures"]["storage"]["none"] = "x";
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "figures differ from kunde_48x48_greedykill.golden.json; ");
  turns_red("kunde_48x48_greedykill", "queue.node is " + golden.at("figures").at("queue").at("node").dump() +
                                          ", was 1; links.flit_hops is " +
                                          golden.at("figures").at("links").at("flit_hops").dump() +
                                          ", was 30 (+7310.0 %); storage.none is absent, was \"x\"\n");
  changed["figures"] = nlohmann::ordered_json::object();
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "schema is 1, was absent; outcome is \"completed\", was absent; steps is ");
  EXPECT_THAT(starloom("regress scenarios --filter /kunde_48x48_greedykill.yaml").out, HasSubstr("; and 2 more\n"));
  changed = golden;
  changed["blocks"]["trace.csv"]["digests"][2] = "";
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "blocks of trace.csv differ from kunde_48x48_greedykill.golden.json; ");
  turns_red("kunde_48x48_greedykill", "trace.csv differs first in rows 2001 to 3000, steps 36 to 57\n");
  changed["trace.csv"] = "";
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "trace.csv differ from kunde_48x48_greedykill.golden.json; ");
  changed["blocks"] = 7;
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "trace.csv differ from kunde_48x48_greedykill.golden.json; ");
  changed["blocks"] = {{"trace.csv", {{"rows", "x"}, {"digests", 2}}}};
  scratch_.write(name, changed.dump());
  turns_red("kunde_48x48_greedykill", "scenarios/kunde_48x48_greedykill.golden.json: not a golden file: ");
  changed = golden;
  changed.erase("figures");
  changed.erase("blocks");
  scratch_.write(name, changed.dump());
  EXPECT_EQ(starloom("regress scenarios --filter /kunde_48x48_greedykill.yaml").status, 0);
}

TEST_F(Golden, ListsOfRecordsAreLongByTheirFields) {
  EXPECT_EQ(starloom("regress scenarios --filter /vc_torus_deadlock.yaml --update").status, 0);
  const auto golden = nlohmann::ordered_json::parse(scratch_.read(file("vc_torus_deadlock.golden.json")));
  EXPECT_EQ(golden["figures"]["deadlock"]["circle"]["values"], 8);
}

TEST_F(Golden, FilesAreShort) {
  std::size_t bytes = 0;
  const std::vector<std::string> names = all_scenario_names();
  for (const std::string& name : names)
    bytes += std::filesystem::file_size(scenario_file(name).replace_extension(".golden.json"));
  EXPECT_LE(bytes, names.size() * 2000);
}

// Another run cannot pass for the one that the digests are of: one more packet, a data file with another comment.
TEST_F(Golden, ChangedRunsTurnTheRegressionRed) {
  scratch_.write(file("data/one_long_worm.csv"), scratch_.read(file("data/one_long_worm.csv")) + "500,0,15,20\n");
  turns_red("vc_one_worm", "status 6");
  scratch_.write(file("data/partial.txt"), scratch_.read(file("data/partial.txt")) + "# more\n");
  turns_red("permutation_file_partial", "result.json differ from ");
  turns_red("permutation_file_partial", "data/partial.txt has changed\n");
}

TEST_F(Golden, MissedExpectationsTurnTheRegressionRed) {
  const std::string text = scenario_text("torus_8x8_tornado");
  const std::size_t at = text.find("  steps: 6\n");
  ASSERT_NE(at, std::string::npos);
  scratch_.write(file("torus_8x8_tornado.yaml"), std::string(text).replace(at, 11, "  steps: 7\n"));
  turns_red("torus_8x8_tornado", "status 6");
}

// Each scenario fails if it ends in another outcome than it expects, with the message and status of that outcome.
TEST_F(Golden, AnotherOutcomeTurnsEveryScenarioRed) {
  std::map<std::string, std::string> statuses;
  for (const std::string& name : scenario_names()) {
    std::string text = scenario_text(name);
    const std::size_t at = text.find("  outcome: ") + 11, end = text.find('\n', at);
    const std::string outcome = text.substr(at, end - at);
    text.replace(at, end - at, outcome == "saturated" ? "completed" : "saturated");
    scratch_.write(file(name + ".yaml"), text);
    const bool done = outcome == "completed" || outcome == "saturated";
    statuses[name] = done ? "status 6" : outcome == "violation" ? "status 3" : "status 4";
  }
  const ProgramRun run = starloom("regress scenarios --jobs 2");
  EXPECT_EQ(run.status, 6);
  for (const auto& [name, status] : statuses) {
    const std::size_t at = run.out.find("scenarios/" + name + ".yaml "), end = run.out.find('\n', at);
    ASSERT_LT(at, end) << name;
    EXPECT_THAT(run.out.substr(at, end - at), HasSubstr(" FAILED ")) << name;
    EXPECT_THAT(run.out.substr(end + 1), testing::StartsWith("    " + status + "\n")) << name;
  }
  EXPECT_THAT(run.out, HasSubstr("\n0 of " + std::to_string(statuses.size()) + " scenarios passed\n"));
}

}  // namespace
}  // namespace starloom

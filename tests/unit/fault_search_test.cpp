// SPDX-License-Identifier: Apache-2.0
/// \file `starloom faults`. Loads, parts and verdicts of the sets come from an independent implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>

#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using nlohmann::ordered_json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

class FaultSearches : public CatalogueRuns {
 protected:
  static std::string mesh(int side, const std::string& function, const std::string& faults = "") {
    const std::string text = std::to_string(side);
    return experiment("topology: mesh, shape: [" + text + ", " + text + "]", "vc-wormhole, function: " + function) +
           (faults.empty() ? "" : "faults: {" + faults + "}\n");
  }
  std::string found(const std::string& text, Words options) const {
    options.insert(options.begin(), {"faults", scratch_.write("e.yaml", text).string()});
    return output_of(catalogue_, options);
  }
  ordered_json json(const std::string& text, Words options) const {
    options.emplace_back("--json");
    return ordered_json::parse(found(text, std::move(options)));
  }
  std::string refused(const std::string& text, const Words& options) const {
    Words words = {"faults", scratch_.write("e.yaml", text).string()};
    words.insert(words.end(), options.begin(), options.end());
    try {
      run_command(catalogue_, words);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::usage);
      const std::string what = error.what(), file = scratch_.file("e.yaml").string();
      const std::size_t at = what.find(file);
      return at == std::string::npos ? what : std::string(what).replace(at, file.size(), "e.yaml");
    }
    return "";
  }
  /// `connected` of 20 or more random sets, or another number.
  ordered_json of_random(int side, int cables, int runs, const char* number) const {
    return json(mesh(side, "up-down") + "seed: 1\n",
                {"--random", std::to_string(cables), "--runs", std::to_string(runs)})[number];
  }

  const Catalogue catalogue_ = standard_catalogue();
};

TEST_F(FaultSearches, EachCableOfAMeshUnderUpDown) {
  const ordered_json all = json(mesh(8, "up-down"), {});
  EXPECT_EQ(all["sets"], 112);
  EXPECT_EQ(all["connected"], 112);
  EXPECT_EQ(all["acyclic"], 112);
  EXPECT_EQ(all["load_sum"], 70057);
  EXPECT_EQ(all["unreachable_sum"], 0);
  EXPECT_FALSE(all.contains("proportions")) << "the sets are not a sample";
  ASSERT_EQ(all["ranking"].size(), 112U);
  EXPECT_EQ(all["ranking"][0].dump(), R"({"dead":["link_r03_c03_east"],"seed":null,"parts":1,"unreachable":0,)"
                                      R"("verdict":"acyclic","load":688})");
  EXPECT_EQ(all["ranking"][1]["dead"][0], "link_r04_c03_east");
  EXPECT_EQ(all["ranking"][1]["load"], 688);
  const ordered_json small = json(mesh(4, "up-down"), {"--singles", "cables"});
  EXPECT_EQ(small["ranking"][0]["load"], 52);
  EXPECT_EQ(small["load_sum"], 1060);
}

TEST_F(FaultSearches, EachRouterAndEachPairOfCables) {
  const ordered_json routers = json(mesh(8, "up-down"), {"--singles", "routers"});
  EXPECT_EQ(routers["sets"], 64);
  EXPECT_EQ(routers["ranking"][0]["load"], 665);
  EXPECT_EQ(routers["ranking"][0]["dead"][0], "node_r03_c03");
  const ordered_json pairs = json(mesh(4, "up-down"), {"--pairs", "cables"});
  EXPECT_EQ(pairs["sets"], 276);
  EXPECT_EQ(pairs["connected"], 272);
  EXPECT_EQ(pairs["unreachable_sum"], 4 * 30) << "a corner, in both directions";
  ordered_json worst = 0;
  for (const ordered_json& set : pairs["ranking"]) worst = std::max(worst, set["load"]);
  EXPECT_EQ(worst, 60);
  EXPECT_EQ(pairs["ranking"][0]["unreachable"], 30);
  EXPECT_EQ(pairs["ranking"][0]["dead"].dump(), R"(["link_r00_c00_east","link_r00_c00_south"])");
}

TEST_F(FaultSearches, VerdictsAndPairsOfOtherFunctions) {
  EXPECT_EQ(json(mesh(8, "shortest"), {})["acyclic"], 112 - 84);
  const std::vector<std::pair<const char*, std::pair<int, int>>> lost = {
      {"dimension-order", {21504, 256}}, {"west-first", {12096, 256}}, {"odd-even", {5432, 66}}};
  for (const auto& [function, pairs] : lost) {
    const ordered_json all = json(mesh(8, function), {});
    EXPECT_EQ(all["unreachable_sum"], pairs.first) << function;
    EXPECT_EQ(all["ranking"][0]["unreachable"], pairs.second) << function;
    EXPECT_EQ(all["connected"], 112) << function;
  }
  // Other rows and columns keep the 4 x 4 x 8 pairs over their middle.
  EXPECT_EQ(json(mesh(8, "dimension-order"), {})["load_sum"], 112 * 128);
}

TEST_F(FaultSearches, RandomSetsAreThoseOfConsecutiveSeeds) {
  EXPECT_EQ(of_random(4, 2, 1000, "connected"), 986);
  EXPECT_EQ(of_random(4, 4, 1000, "connected"), 888);
  EXPECT_EQ(of_random(4, 6, 1000, "connected"), 648);
  EXPECT_EQ(of_random(8, 8, 200, "connected"), 199);
  EXPECT_EQ(of_random(8, 16, 200, "connected"), 174);
  EXPECT_EQ(of_random(8, 32, 200, "connected"), 35);
  EXPECT_EQ(of_random(8, 0, 20, "load_sum"), 12480);
  EXPECT_EQ(of_random(8, 4, 20, "load_sum"), 12742);
  EXPECT_EQ(of_random(8, 8, 20, "load_sum"), 12926);
  EXPECT_EQ(of_random(8, 16, 20, "load_sum"), 14023);
  const ordered_json part = of_random(4, 4, 1000, "proportions")["connected"];
  EXPECT_EQ(part["mean"], 0.888);
  EXPECT_NEAR(part["ci_low"].get<double>(), 0.86695, 1e-5);
  EXPECT_NEAR(part["ci_high"].get<double>(), 0.90608, 1e-5);
  // `faults.seed` comes before the seed of the run.
  const ordered_json other = json(mesh(4, "up-down", "seed: 7"), {"--random", "3", "--runs", "5", "--seed", "1"});
  std::vector<int> seeds;
  for (const ordered_json& set : other["ranking"]) seeds.push_back(set["seed"]);
  EXPECT_THAT(seeds, testing::UnorderedElementsAre(7, 8, 9, 10, 11));
}

// The same faults in the experiment itself.
TEST_F(FaultSearches, JudgesASetAsCheckDoes) {
  for (const char* function : {"up-down", "shortest", "odd-even", "dimension-order"}) {
    const ordered_json all = json(mesh(5, function,
                                       "dead: [{processor: 3}, link_r02_c02_east, {link: "
                                       "link_r00_c00_south}]"),
                                  {"--random", "4", "--runs", "6", "--seed", "5"});
    ASSERT_EQ(all["ranking"].size(), 6U);
    for (const ordered_json& set : all["ranking"]) {
      const std::string faults =
          "dead: [{processor: 3}, link_r02_c02_east, {link: link_r00_c00_south}], random: {cables: 4}, seed: " +
          set["seed"].dump();
      const std::string file = scratch_.write("e.yaml", mesh(5, function, faults)).string();
      const ordered_json checked = ordered_json::parse(output_of(catalogue_, {"check", file, "--json"}));
      EXPECT_EQ(checked["unreachable"]["pairs"], set["unreachable"]) << function << set;
      EXPECT_EQ(checked["left"]["parts"], set["parts"]) << function << set;
      EXPECT_EQ(checked["verdict"], set["verdict"]) << function << set;
      EXPECT_EQ(checked["load"]["max"], set["load"]) << function << set;
      EXPECT_EQ(set["dead"].size(), 4U);
    }
  }
}

// Sets without what is dead in each of them.
TEST_F(FaultSearches, FaultsOfTheFileHoldInEachSet) {
  const ordered_json cables = json(mesh(4, "up-down", "dead: [link_r00_c00_east, {link: link_r00_c01_east}]"), {});
  EXPECT_EQ(cables["sets"], 23) << "a cable of which one link is alive can still die";
  EXPECT_EQ(cables["ranking"][0]["dead"][0], "link_r00_c00_south");
  EXPECT_EQ(cables["ranking"][0]["unreachable"], 30);
  const ordered_json routers = json(mesh(4, "up-down", "dead: [node_r00_c01]"), {"--singles", "routers"});
  EXPECT_EQ(routers["sets"], 15);
  EXPECT_EQ(routers["ranking"][0]["dead"][0], "node_r01_c00");
  EXPECT_EQ(routers["ranking"][0]["unreachable"], 2 * 13);
}

TEST_F(FaultSearches, ThreadsChangeNoByte) {
  for (const Words& options : {Words{"--singles", "cables"}, Words{"--random", "3", "--runs", "40", "--json"}}) {
    Words alone = options, shared = options;
    alone.insert(alone.end(), {"--threads", "1"});
    shared.insert(shared.end(), {"--threads", "5"});
    EXPECT_EQ(found(mesh(5, "odd-even"), alone), found(mesh(5, "odd-even"), shared));
  }
}

TEST_F(FaultSearches, TextHasTheWorstSetsAndTheProportions) {
  const std::string text = found(mesh(8, "up-down"), {});
  EXPECT_THAT(text, StartsWith("vc-wormhole on mesh 8 x 8: 112 sets of one dead cable\n"));
  EXPECT_THAT(text, HasSubstr("  pair load     max 688, mean 625.5, was 624: "));
  EXPECT_THAT(text, ContainsRegex("\n +1 +0 +688 +1 +acyclic +link_r03_c03_east\n"));
  EXPECT_THAT(text, HasSubstr("\n  and 102 more; --json lists all\n"));
  const std::string random = found(mesh(4, "up-down") + "seed: 1\n", {"--random", "6", "--runs", "1000"});
  EXPECT_THAT(random, HasSubstr("  connected     648 of 1000: 0.6480, 95 % interval 0.6179 to 0.6770\n"));
  EXPECT_THAT(random, ContainsRegex("\n +1 +[0-9]+ +[0-9]+ +[0-9] +acyclic +[0-9]+ +link.*, 2 more\n"));
}

TEST_F(FaultSearches, Refusals) {
  EXPECT_EQ(refused(mesh(8, "up-down"), {"--random", "113"}),
            "starloom faults: --random 113: the network has 112 cables");
  EXPECT_EQ(refused(mesh(1, "up-down"), {}), "starloom faults: the network has no cable alive");
  EXPECT_EQ(refused(mesh(32, "up-down"), {"--pairs", "cables"}),
            "starloom faults: 1967136 sets are more than 500000; take random ones, such as --random 2 --runs 10000");
  EXPECT_EQ(refused(mesh(4, "up-down, root: 5"), {"--singles", "routers"}),
            "e.yaml:3:60: routing.root: node_r01_c01 is dead; choose another root, or leave this key out (with "
            "node_r01_c01 dead)");
  EXPECT_THAT(refused(experiment("topology: mesh, shape: [4, 4]", "kunde"), {}),
              StartsWith("starloom faults: kunde needs every link of the mesh; "));
  EXPECT_EQ(refused(experiment("topology: pops, groups: 4, group_size: 4", "direct"), {}),
            "e.yaml:2:21: starloom faults: pops has couplers instead of links; choose a network of links");
  EXPECT_THAT(refused(mesh(4, "up-down"), {"--singles", "cables", "--pairs", "cables"}), HasSubstr("excludes"));
  EXPECT_THAT(refused(mesh(4, "up-down"), {"--runs", "9"}), HasSubstr("--runs requires --random"));
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// \file Optical parts in whole runs on POPS networks: their times and energies, and what `verify` finds in damaged
/// results.
#include <gmock/gmock.h>

#include <map>

#include <starloom/commands/known_entries.hpp>
#include <starloom/run/standard_catalogue.hpp>

#include "catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class OpticsRuns : public CatalogueRuns {
 protected:
  /// Section `optics` of the result of a run that `verify` accepts.
  nlohmann::ordered_json optics_of(const std::string& text, const std::vector<std::string>& options = {}) const {
    run(catalogue_, text, "out", options);
    EXPECT_TRUE(open_run_folder(scratch_.file("out"), known_entries(catalogue_))->verify().ok());
    return result().at("optics");
  }

  const Catalogue catalogue_ = standard_catalogue();
};

// d / g - 1 slots follow the last cycle of `randomized`, which carry packets; here no cycle comes before them.
TEST_F(OpticsRuns, TheSlotsOfADrainCarryPackets) {
  scratch_.write("none.csv", "cycle,source,destination,flits\n");
  const auto optics =
      optics_of(experiment("topology: pops, groups: 4, group_size: 64", "randomized", "packets, file: none.csv") +
                "optics: {}\n");
  EXPECT_EQ(optics.at("time_ns"), 15 * 205);
}

/// A permutation by a plan on POPS(16,16): 512 drives, each heard once, in 2 slots of 205 ns.
const std::string by_plan =
    "schema: 1\nnetwork: {topology: pops, groups: 16, group_size: 16}\nrouting: {algorithm: offline}\n"
    "traffic: {pattern: random-permutation}\n";
/// Acknowledgements, collisions, receivers that listen in vain, a drain.
const std::string by_chance =
    "schema: 1\nnetwork: {topology: pops, groups: 4, group_size: 8}\nrouting: {algorithm: randomized}\n"
    "traffic: {pattern: random-permutation}\n";

TEST_F(OpticsRuns, PartsHaveTheirEnergies) {
  const auto optics = optics_of(by_plan + "optics: {transmitter: parts}\n");
  EXPECT_EQ(optics.at("launch_dbm"), 0);
  EXPECT_EQ(optics.at("parts").dump(),
            R"({"laser_pj":419840,"modulators_pj":6553.6,"receivers_pj":26214.4,"receivers_static_pj":3358720,)"
            R"("tuning_pj":0,"total_pj":3811328})");
  EXPECT_EQ(optics.at("energy_pj_per_packet"), 14888);
  const auto other = optics_of(by_plan + "optics: {transmitter: parts, laser: always, receivers: listening}\n");
  EXPECT_EQ(other.at("parts").at("laser_pj"), 6717440);
  EXPECT_EQ(other.at("parts").at("receivers_static_pj"), 209920);
}

TEST_F(OpticsRuns, VerifyRefusesWordsThatItDoesNotKnow) {
  run(catalogue_, by_plan + "optics: {transmitter: parts, launch_dbm: auto}\n", "out");
  const std::string sound = scratch_.read("out/result.json");
  for (const auto& [before, after] : std::map<std::string, std::string>{{"\"auto\"", "\"least\""},
                                                                        {"\"parts\",", "\"half\","},
                                                                        {"\"gated\"", "\"open\""},
                                                                        {"\"all\"", "\"some\""},
                                                                        {"\"losses\": []", "\"losses\": [3]"}}) {
    std::string damaged = sound;
    ASSERT_NE(damaged.find(before), std::string::npos) << before;
    scratch_.write("out/result.json", damaged.replace(damaged.find(before), before.size(), after));
    EXPECT_THROW(open_run_folder(scratch_.file("out"), known_entries(catalogue_))->verify(), InputError) << before;
  }
}

TEST_F(OpticsRuns, TheLaunchPowerIsGivenOrTheLeast) {
  const auto optics = optics_of(by_plan + "optics: {transmitter: parts, launch_dbm: auto}\n");
  EXPECT_NEAR(optics.at("launch_dbm").get<double>(), -6.7588, 5e-5);
  EXPECT_EQ(optics.at("margin_db"), 3);
  EXPECT_EQ(result().at("experiment").at("optics").at("launch_dbm"), "auto");
  const auto lossy = optics_of(
      by_plan + "optics: {transmitter: parts, launch_dbm: auto, losses: [{name: ring, db: 1.5, count: 2}]}\n");
  EXPECT_NEAR(lossy.at("launch_dbm").get<double>(), -3.7588, 5e-5);
  EXPECT_EQ(result().at("experiment").at("optics").at("losses").dump(), R"([{"name":"ring","db":1.5,"count":2}])");
}

TEST_F(OpticsRuns, WholeTransmittersHaveTheirPowerOnly) {
  const auto optics = optics_of(by_plan + "optics: {}\n");
  EXPECT_EQ(optics.dump(), R"({"margin_db":9.758800173440752,"time_ns":410,"energy_pj_per_packet":205000})");
  EXPECT_EQ(result().at("experiment").at("optics").size(), 9u);
}

// The models on arrays count as the hardware does.
TEST_F(OpticsRuns, ModelsOfMessagesHaveTheSameEnergy) {
  for (const char* algorithm : {"randomized", "direct", "offline", "comparator-sort"})
    for (const char* optics : {"optics: {transmitter: parts, tuning_mw: 0.1, receivers: listening}\n",
                               "optics: {transmitter: parts, laser: always, launch_dbm: auto}\n"}) {
      const std::string text =
          experiment("topology: pops, groups: 4, group_size: 8", algorithm, "random-permutation") + optics;
      const auto of_hardware = optics_of(text);
      run_command(catalogue_, {"run", scratch_.write("m.yaml", text + "model: message\n").string(), "--out",
                               scratch_.file("model").string(), "--quiet", "--force"});
      EXPECT_EQ(nlohmann::ordered_json::parse(scratch_.read("model/result.json")).at("optics"), of_hardware)
          << algorithm;
    }
}

TEST_F(OpticsRuns, TheEnergyDoesNotDependOnTheOrder) {
  const std::string text = by_chance + "optics: {transmitter: parts, receivers: listening, tuning_mw: 0.3}\n";
  run(catalogue_, text, "out");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--shuffle", "5"}, {"--threads", "2"}, {"--no-referee"}}) {
    run(catalogue_, text, "other", options);
    EXPECT_EQ(scratch_.read("other/result.json"), scratch_.read("out/result.json"));
  }
}

TEST_F(OpticsRuns, KeysOfTheOtherTransmittersAreRefused) {
  EXPECT_EQ(
      refusal(catalogue_, by_plan + "optics: {laser: always, launch_dbm: auto, losses: [], receiver_mw: 1}\n"),
      "e.yaml:5:17: optics.laser: a whole transmitter has no parts; add transmitter: parts, or leave the key out\n"
      "e.yaml:5:37: optics.launch_dbm: a whole transmitter has a given launch power; add transmitter: parts, or "
      "give the launch power\n"
      "e.yaml:5:51: optics.losses: a whole transmitter has no parts; add transmitter: parts, or leave the key "
      "out\n"
      "e.yaml:5:68: optics.receiver_mw: a whole transmitter has no parts; add transmitter: parts, or leave the "
      "key out");
  EXPECT_EQ(refusal(catalogue_, by_plan + "optics: {transmitter: parts, transmitter_mw: 500}\n"),
            "e.yaml:5:46: optics.transmitter_mw: the power of a transmitter follows from its parts; leave the key out, "
            "or use transmitter: whole");
  EXPECT_EQ(refusal(catalogue_, by_plan + "optics: {transmitter: half, laser: gated}\n"),
            "e.yaml:5:23: optics.transmitter: unknown transmitter half; known: whole, parts");
}

TEST_F(OpticsRuns, WrongValuesAreRefused) {
  const auto refused = [&](const std::string& keys) {
    return refusal(catalogue_, by_plan + "optics: {transmitter: parts, " + keys + "}\n");
  };
  EXPECT_EQ(refused("laser_efficiency: 0"), "e.yaml:5:48: optics.laser_efficiency: 0 is out of range (0.001 to 1)");
  EXPECT_EQ(refused("laser: off"), "e.yaml:5:37: optics.laser: unknown laser off; known: gated, always");
  EXPECT_EQ(refused("losses: {name: ring}"),
            "e.yaml:5:38: optics.losses: a list of losses such as [{name: splitter, db: 1, count: 2}, {name: detector, "
            "db: 1}] is expected, not a section");
  EXPECT_EQ(refused("losses: [ring, {name: ring}, {db: -1, nmae: x}]"),
            "e.yaml:5:39: optics.losses.0: a loss such as {name: splitter, db: 1, count: 2} is expected, not \"ring\"\n"
            "e.yaml:5:45: optics.losses.1.db is missing (the loss of one)\n"
            "e.yaml:5:59: optics.losses.2.name is missing (the part with the loss)\n"
            "e.yaml:5:64: optics.losses.2.db: -1 is out of range (0 to 1000)\n"
            "e.yaml:5:68: unknown key optics.losses.2.nmae (did you mean optics.losses.2.name?)");
  EXPECT_EQ(
      refused("launch_dbm: auto, losses: [{name: fog, db: 1000}]"),
      "e.yaml:5:42: optics.launch_dbm: auto needs 993.2 dBm for a loss of 1013.2 dB, at most 100 dBm are possible; "
      "reduce the losses or the group size");
}

TEST_F(OpticsRuns, CheckPrintsPowersAndLosses) {
  const std::string check = check_of(
      catalogue_, by_plan +
                      "optics: {transmitter: parts, launch_dbm: auto, tuning_mw: 0.1, losses: [{name: drop, db: 1, "
                      "count: 2}, {name: splitter, db: 0.5}]}\n");
  EXPECT_THAT(check, HasSubstr("  optics        loss 15.7 dB; a launch power of -4.3 dBm leaves the required 3 dB\n"
                               "  losses        splitting 12.0 dB, stages of couplers 1.2 dB, connectors 0 dB, drop "
                               "2 x 1 dB, splitter 0.5 dB\n"
                               "  launch        -4.3 dBm; a laser takes 1.5 mW, while it drives a coupler\n"
                               "  receivers     one takes 2 mW, all of them 8.192 W, always\n"
                               "  tuning        0.8192 W, always\n"
                               "  slots         data "));
  EXPECT_THAT(check, HasSubstr("\n          d       g  launch   couplers"));
  EXPECT_THAT(check, HasSubstr("\n          1     256   -17.5      65536"));
  const std::string listening =
      check_of(catalogue_, by_plan + "optics: {transmitter: parts, laser: always, receivers: listening}\n");
  EXPECT_THAT(listening, HasSubstr("margin 9.8 dB, enough: 3 required; groups of up to 64 are possible\n"
                                   "  launch        0.0 dBm; a laser takes 4 mW, all of them 16.38 W, always\n"
                                   "  receivers     one takes 2 mW, while it listens\n"
                                   "  slots         data "));
  // 6,960,128 pJ for 256 packets; which receivers listen is known for plans only.
  EXPECT_THAT(listening, HasSubstr("\n    offline                 2.0          0.410           27.2\n"));
  EXPECT_THAT(listening, HasSubstr("\n    direct                 78.2         11.645              -\n"));
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// The energy and area that `check` reports without a run (docs/energy.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "energy_fixture.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class EnergyPreflight : public EnergyFixture {
 protected:
  Json facts_of(const std::string& text) const {
    return Json::parse(output_of(catalogue_, {"check", scratch_.write("e.yaml", text).string(), "--json"}));
  }
  double checked(const std::string& text) const { return facts_of(text + default_energy).at("energy"); }
  /// Dynamic energy without clocks by the flits that arrived, in pJ.
  double measured(const std::string& text) const {
    const Json energy = energy_of(text + default_energy);
    const double flits = energy.at("dynamic_pj").get<double>() / energy.at("per_flit_pj").get<double>();
    return energy::picojoules(without_clock(energy)) / std::round(flits);
  }
  /// Packets of `flits` flits for all ordered pairs of three processors, themselves included.
  static std::string all_pairs(const std::vector<int>& flits) {
    std::string lines;
    for (int source = 0; source < 3; ++source)
      for (int destination = 0; destination < 3; ++destination)
        for (const int length : flits)
          lines +=
              "0," + std::to_string(source) + "," + std::to_string(destination) + "," + std::to_string(length) + "\n";
    return lines;
  }
};

TEST_F(EnergyPreflight, HasEveryDigit) {
  const std::string text = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n") + default_energy;
  const Json facts = facts_of(text);
  EXPECT_EQ(facts["energy"], 16.530563);
  EXPECT_EQ(facts["leakage"], 38.39355);
  EXPECT_EQ(facts["area"], energy_of(text)["area_um2"]);
  EXPECT_EQ(facts["area"]["total"], 49216.854);
  const std::string lines = check_of(catalogue_, text);
  EXPECT_THAT(lines, HasSubstr("  energy        16.530563 pJ for each flit without contention, clocks left out\n"));
  EXPECT_THAT(lines, HasSubstr("  area          49216.854 um2: buffers "));
  EXPECT_THAT(lines, HasSubstr("  leakage       38.39355 mW\n"));
  EXPECT_THAT(lines, HasSubstr("e.yaml: valid; has warnings\n  warning       energy: table dsent-22 is known to hold"));
}

TEST_F(EnergyPreflight, OfWormsThatWaitForEachOther) {
  EXPECT_EQ(checked(experiment("topology: mesh, shape: [8, 8]", "vc-wormhole, channels: 2, buffer: 4, pipeline: 5",
                               "bit-complement, flits: 8")),
            43.0282104375);
}

TEST_F(EnergyPreflight, IsThatOfTheRunOnFixedPaths) {
  const std::string router = "vc-wormhole, channels: 2, buffer: 4";
  const std::vector<std::string> experiments = {
      packets("[4, 4]", "channels: 2, buffer: 4", "0,0,15,4\n0,3,12,1\n2,5,10,7\n3,5,5,2\n9,14,1,3\n"),
      experiment("topology: torus, shape: [4, 4], link_latency: 2", router, "transpose, flits: 4"),
      experiment("topology: mesh, shape: [3, 3], subnets: 2", router, "random-permutation, flits: 3"),
      experiment("topology: fat-tree, arity: 2, levels: 3", "vc-wormhole, function: nearest-ancestor",
                 "random-permutation, flits: 3"),
      experiment("topology: fat-tree, arity: 2, levels: 3", "nearest-ancestor", "random-permutation"),
      experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, multicast: flits",
                 "collective, op: broadcast, algorithm: multicast, flits: 4"),
      experiment("topology: mesh, shape: [5, 5]", "greedy", "random-function"),
      experiment("topology: mesh, shape: [4, 4]", "offline-worms", "random-permutation, flits: 4"),
      experiment("topology: mesh, shape: [4, 4]", "three-phase, slice: 1", "random-permutation"),
      experiment("topology: mesh, shape: [4, 4]", "multistage", "random-permutation")};
  for (const std::string& text : experiments) EXPECT_EQ(checked(text), measured(text)) << text;
}

TEST_F(EnergyPreflight, OfOpenLoopIsTheMeanOverItsPackets) {
  const auto of = [&](const std::string& routing, const std::string& flits) {
    return checked(experiment("topology: mesh, shape: [1, 3]", routing,
                              "uniform, rate: 0.1, " + flits + ", warmup: 10, measure: 10"));
  };
  const std::string router = "vc-wormhole, channels: 2, buffer: 4";
  EXPECT_NEAR(of(router, "flits: 4"), checked(packets("[1, 3]", "channels: 2, buffer: 4", all_pairs({4}))), 1e-9);
  EXPECT_NEAR(of(router, "flits: {uniform: [1, 3]}"),
              checked(packets("[1, 3]", "channels: 2, buffer: 4", all_pairs({1, 2, 3}))), 1e-9);
  scratch_.write("packets.csv", "cycle,source,destination,flits\n" + all_pairs({1}));
  EXPECT_NEAR(of("greedy", "flits: 1"),
              checked(experiment("topology: mesh, shape: [1, 3]", "greedy", "packets, file: packets.csv")), 1e-9);
}

TEST_F(EnergyPreflight, OfRepliesHasTheirHeads) {
  scratch_.write("packets.csv", "cycle,source,destination,flits\n0,0,1,1\n0,1,0,1\n0,1,0,5\n0,0,1,5\n");
  const std::string network = "topology: mesh, shape: [1, 2]", router = "vc-wormhole, channels: 4";
  EXPECT_NEAR(checked(experiment(network, router,
                                 "reversal, rate: 0.1, reply: {flits: 5, service: 2}, warmup: 10, measure: 10")),
              checked(experiment(network, router, "packets, file: packets.csv")), 1e-9);
}

TEST_F(EnergyPreflight, OfSubnetsIsThatOfTheirOwnLinks) {
  const auto of = [&](const std::string& subnet, const std::string& millimetres) {
    const std::string text = experiment("topology: mesh, shape: [3, 3], subnets: 2", "vc-wormhole, channels: 2",
                                        "classes, warmup: 10, measure: 10, classes: [{name: a, pattern: reversal, "
                                        "rate: 0.1, flits: 3, channels: [0, 1]" +
                                            subnet + "}]");
    return facts_of(text + "energy: {link_mm: " + millimetres + "}\n").at("energy").get<double>();
  };
  const double none = of(", subnet: any", "1"), all = of(", subnet: any", "4");
  EXPECT_GT(all, none);
  EXPECT_DOUBLE_EQ(of(", subnet: 1", "{\"link_*_s1*\": 4}"), all);
  EXPECT_DOUBLE_EQ(of(", subnet: 0", "{\"link_*_s1*\": 4}"), none);
  EXPECT_DOUBLE_EQ(of(", subnet: any", "{\"link_*_s1*\": 4}"), (all + none) / 2);
}

TEST_F(EnergyPreflight, ReportsWhyItIsNotKnown) {
  for (const char* const routing : {"deflection", "three-phase"}) {
    const std::string text =
        experiment("topology: mesh, shape: [4, 4]", routing, "random-permutation") + default_energy;
    EXPECT_EQ(facts_of(text)["energy"], nullptr);
    EXPECT_GT(facts_of(text)["area"]["total"], 0);
    EXPECT_THAT(check_of(catalogue_, text), HasSubstr(std::string("  energy        not known before the run: ") +
                                                      routing + " has no fixed routing function\n"));
  }
  const std::string own = experiment("topology: mesh, shape: [1, 1]", "greedy") + default_energy;
  EXPECT_EQ(facts_of(own)["energy"], nullptr);
  EXPECT_THAT(check_of(catalogue_, own), HasSubstr("  energy        none: no flit arrives\n"));
}

TEST_F(EnergyPreflight, NamesTheChoicesOfPackets) {
  const auto of = [&](const std::string& function) {
    return check_of(catalogue_, experiment("topology: mesh, shape: [4, 4]",
                                           "vc-wormhole, channels: 2, function: " + function, "transpose, flits: 2") +
                                    default_energy);
  };
  EXPECT_THAT(of("o1turn"), HasSubstr("clocks left out, averaged over random choices\n"));
  EXPECT_THAT(of("west-first"), HasSubstr("clocks left out, if packets choose all permitted ports equally often\n"));
}

TEST_F(EnergyPreflight, IsAbsentWithoutEnergy) {
  const std::string text = experiment("topology: mesh, shape: [2, 2]", "vc-wormhole");
  const std::string lines = check_of(catalogue_, text);
  for (const char* const name : {"energy", "area", "leakage"}) {
    EXPECT_FALSE(facts_of(text).contains(name));
    EXPECT_EQ(lines.find(std::string("  ") + name + " "), std::string::npos);
  }
}

}  // namespace
}  // namespace starloom

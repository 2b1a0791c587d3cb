// SPDX-License-Identifier: Apache-2.0
/// \file The list `traffic.classes` of an experiment (docs/traffic-classes.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

class ClassKeys : public CatalogueRuns {
 protected:
  void SetUp() override {
    scratch_.write("p.csv",
                   "cycle,source,destination,flits,class\n0,0,3,8,0\n0,1,3,8,0\n6,5,3,4,1\n9,5,6,4,1\n9,5,6,4,0\n");
  }
  static std::string mesh(const std::string& classes, const std::string& routing = "channels: 2, priority: class") {
    return experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, " + routing, "packets, file: p.csv" + classes);
  }
  std::string error(const std::string& classes, const std::string& routing = "channels: 2, priority: class") const {
    return refusal(standard_catalogue(), mesh(", classes: " + classes, routing));
  }
  Json result(const std::filesystem::path& folder) const { return Json::parse(read(folder / "result.json")); }
  std::string verdict(const std::filesystem::path& folder) const {
    try {
      const VerifyReport report = open_run_folder(folder, {topology_table()})->verify();
      return report.ok() ? "" : report.violation;
    } catch (const InputError& fault) {
      return fault.what();
    }
  }
};

TEST_F(ClassKeys, AreKeptAndDivideThePackets) {
  const auto folder = run(standard_catalogue(),
                          mesh(", classes: [{name: bulk, channels: [0, 0]}, {name: urgent, "
                               "priority: 1}]"),
                          "out");
  EXPECT_EQ(result(folder)["experiment"]["traffic"]["classes"].dump(),
            R"([{"name":"bulk","channels":[0,0],"priority":0},{"name":"urgent","channels":null,"priority":1}])");
  EXPECT_THAT(read(folder / "packets.csv"), testing::HasSubstr(",injected,class\n0,0,3,8,0,"));
  EXPECT_THAT(read(folder / "packets.csv"), testing::HasSubstr("2,5,3,4,6,"));
  EXPECT_EQ(verdict(folder), "");
}

TEST_F(ClassKeys, OfOneClassAddNoColumn) {
  scratch_.write("p.csv", "cycle,source,destination,flits,class\n0,0,3,8,0\n");
  const auto folder = run(standard_catalogue(), mesh(", classes: [{name: all}]"), "out");
  EXPECT_THAT(read(folder / "packets.csv"), testing::HasSubstr(",injected\n"));
  EXPECT_EQ(verdict(folder), "");
}

/// The channels of a class, and its number, are known to `verify`.
TEST_F(ClassKeys, AreCheckedAfterTheRun) {
  const auto folder =
      run(standard_catalogue(), mesh(", classes: [{name: bulk}, {name: urgent, channels: [1, 1]}]"), "out");
  ASSERT_EQ(verdict(folder), "");
  Json changed = result(folder);
  const auto with = [&](const Json& channels) {
    changed["experiment"]["traffic"]["classes"][1]["channels"] = channels;
    scratch_.write("out/result.json", changed.dump());
    return verdict(folder);
  };
  EXPECT_THAT(with({0, 0}), testing::HasSubstr("is in channel 1, but the channels of its class are 0 to 0"));
  EXPECT_THAT(with({1, 2}), testing::HasSubstr("is not the first and the last of 2 channels"));
  EXPECT_THAT(with("all"), testing::HasSubstr("experiment.traffic.classes.1.channels"));
  changed["experiment"]["traffic"]["classes"].erase(1);
  scratch_.write("out/result.json", changed.dump());
  EXPECT_THAT(verdict(folder), testing::HasSubstr("is of class 1, but result.json has 1 class"));
}

TEST_F(ClassKeys, AreRefusedWithAPlaceAndASuggestion) {
  const auto faults = std::initializer_list<std::pair<const char*, const char*>>{
      {"all",
       "51: traffic.classes: a list of classes such as {name: urgent, channels: [0, 1], priority: 1} is expected, "
       "not \"all\""},
      {"[]",
       "51: traffic.classes: a list of classes such as {name: urgent, channels: [0, 1], priority: 1} is expected, "
       "not an empty list"},
      {"[bulk]",
       "52: traffic.classes: a class such as {name: urgent, channels: [0, 1], priority: 1} is expected, not "
       "\"bulk\""},
      {"[{priority: 1}]", "52: traffic.classes.name is missing (name of the class)"},
      {"[{name: a b}]", "59: traffic.classes.name: letters, digits, - and _ are expected, not \"a b\""},
      {"[{name: a}, {name: a}]", "70: traffic.classes: two classes have the name a"},
      {"[{name: a, rank: 1}]", "62: unknown key traffic.classes.rank; known: name, channels, priority"},
      {"[{name: a, channels: [1, 0]}]",
       "72: traffic.classes.channels: the first and the last channel are expected, such as [0, 1]"},
      {"[{name: a, channels: 1}]", "72: traffic.classes.channels: a list of integers is expected, not 1"}};
  for (const auto& [classes, text] : faults) EXPECT_EQ(error(classes), std::string("e.yaml:4:") + text) << classes;
  EXPECT_EQ(error("[{name: a}, {name: b, channels: [1, 2]}]"),
            "e.yaml:3:45: routing.channels: a port has 2, but those of class b are 1 to 2");
  EXPECT_EQ(error("[{name: a}, {name: b, channels: [1, 1]}]", "channels: 2, function: o1turn"),
            "e.yaml:3:45: routing.channels: o1turn on a mesh needs 2 channels for the two orders for the packets of "
            "class b, not 1");
  EXPECT_EQ(refusal(standard_catalogue(), mesh("")),
            "e.yaml:3:58: routing.priority: class needs classes of traffic; give them with traffic.classes, such as "
            "[{name: bulk}, {name: urgent, priority: 1}]");
  EXPECT_EQ(refusal(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", "greedy",
                                                     "packets, file: p.csv, classes: [{name: a}]")),
            "e.yaml:4:42: traffic.classes: classes of traffic need virtual channels, which greedy does not have; use "
            "vc-wormhole");
}

}  // namespace
}  // namespace starloom

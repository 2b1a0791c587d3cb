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

/// Each class has a pattern, and phases in common.
TEST_F(ClassKeys, HavePatternsOfTheirOwn) {
  const std::string text =
      "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\n"
      "routing: {algorithm: vc-wormhole, channels: 2, priority: class}\n"
      "traffic: {warmup: 20, measure: 200, classes: [{name: bulk, pattern: uniform, rate: 0.2, flits: {uniform: [1, "
      "5]}},"
      " {name: urgent, pattern: transpose, rate: 0.05, priority: 1, channels: [1, 1]}]}\n";
  const auto folder = run(standard_catalogue(), text, "out");
  EXPECT_EQ(result(folder)["experiment"]["traffic"].dump(),
            R"({"pattern":"classes","classes":[{"name":"bulk","channels":null,"priority":0,"pattern":"uniform",)"
            R"("flits":{"uniform":[1,5]},"rate":0.2,"injection":"bernoulli"},{"name":"urgent","channels":[1,1],)"
            R"("priority":1,"pattern":"transpose","flits":1,"rate":0.05,"injection":"bernoulli"}],"warmup":20,)"
            R"("measure":200,"drain":100000})");
  EXPECT_EQ(verdict(folder), "");
  const auto other = run(standard_catalogue(), text, "other", {"--set", "traffic.classes.urgent.rate=0.1"});
  EXPECT_EQ(result(other)["experiment"]["traffic"]["classes"][1]["rate"].dump(), "0.1");
  // Without rates, every node sends one packet of each class.
  const auto once = run(standard_catalogue(),
                        experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2",
                                   "classes, classes: [{name: a, pattern: transpose}, {name: b, pattern: reversal}]"),
                        "once");
  EXPECT_EQ(result(once)["packets"]["total"], 32);
  EXPECT_EQ(verdict(once), "");
}

/// Sums over the packets of each class; `verify` computes them anew.
TEST_F(ClassKeys, HaveMetricsOfTheirOwn) {
  const auto folder = run(standard_catalogue(), mesh(", classes: [{name: bulk}, {name: urgent, priority: 1}]"), "out");
  const Json sound = result(folder);
  const Json& classes = sound["classes"];
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0]["name"], "bulk");
  EXPECT_EQ(classes[0]["packets"].dump(), R"({"total":3,"delivered":3,"undelivered":0})");
  EXPECT_EQ(classes[1]["packets"].dump(), R"({"total":2,"delivered":2,"undelivered":0})");
  EXPECT_TRUE(classes[0]["throughput"].is_null());
  EXPECT_TRUE(classes[0]["oldest"].is_null());
  EXPECT_EQ(3 * classes[0]["latency"]["mean"].get<double>() + 2 * classes[1]["latency"]["mean"].get<double>(),
            5 * sound["latency"]["mean"].get<double>());
  for (const auto& [path, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/classes/0/packets/total", 4},
                                                           {"/classes/1/packets/delivered", 1},
                                                           {"/classes/0/latency/mean", 7.5},
                                                           {"/classes/1/network_latency/max", 99},
                                                           {"/classes/1/throughput", Json::object()},
                                                           {"/classes/0/oldest", 12}}) {
    Json changed = sound;
    changed[Json::json_pointer(path)] = value;
    scratch_.write("out/result.json", changed.dump());
    EXPECT_NE(verdict(folder), "") << path;
  }
}

TEST_F(ClassKeys, OfOpenLoopHaveRates) {
  const std::string text =
      "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: vc-wormhole, channels: 2}\n"
      "traffic: {warmup: 20, measure: 400, classes: [{name: a, pattern: uniform, rate: 0.2, flits: 3},"
      " {name: b, pattern: transpose, rate: 0.1}]}\n"
      "expect: {classes.a.throughput.offered: {within: [0.15, 0.25]}, classes.1.throughput.offered: {max: 0.15}}\n";
  const auto folder = run(standard_catalogue(), text, "out");
  const Json sound = result(folder);
  for (const char* key : {"offered", "accepted"}) {
    const Json &a = sound["classes"][0]["throughput"][key], &b = sound["classes"][1]["throughput"][key];
    EXPECT_NEAR(a.get<double>() + b.get<double>(), sound["throughput"][key].get<double>(), 1e-12);
    Json changed = sound;
    changed["classes"][0]["throughput"][key] = 0.1;
    scratch_.write("out/result.json", changed.dump());
    EXPECT_THAT(verdict(folder), testing::HasSubstr(std::string("classes.0.throughput.") + key));
  }
}

/// Requests and replies in the same channel wait for each other, and `verify` finds a request too many.
TEST_F(ClassKeys, OfPlacesLimitRequests) {
  const auto with_channels = [](const std::string& of_requests, const std::string& of_replies) {
    return "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nlimits: {quiet: 200}\n"
           "routing: {algorithm: vc-wormhole, channels: 2, buffer: 1}\ntraffic: {warmup: 0, measure: 400, classes: "
           "[{name: ask, pattern: uniform, rate: 0.2, reply: {class: answer, flits: 2, service: 3, places: 2}, "
           "channels: " +
           of_requests + "}, {name: answer, channels: " + of_replies + "}]}\n";
  };
  EXPECT_EQ(status_of_run(standard_catalogue(), with_channels("[0, 1]", "[0, 1]"), "shared"), 4);
  const auto folder = scratch_.file("shared");
  EXPECT_EQ(result(folder)["outcome"], "deadlock");
  EXPECT_EQ(result(folder)["experiment"]["traffic"]["classes"][0]["reply"].dump(),
            R"({"class":"answer","flits":2,"service":3,"places":2})");
  EXPECT_GT(result(folder)["deadlock"]["circle"].size(), 1u);
  EXPECT_EQ(verdict(folder), "");
  const auto other =
      run(standard_catalogue(), with_channels("[0, 0]", "[1, 1]"), "apart", {"--set", "traffic.classes.ask.rate=0.04"});
  EXPECT_EQ(result(other)["outcome"], "completed");
  EXPECT_EQ(verdict(other), "");
  Json changed = result(other);
  changed["experiment"]["traffic"]["classes"][0]["reply"]["places"] = 1;
  scratch_.write("apart/result.json", changed.dump());
  EXPECT_THAT(verdict(other), testing::HasSubstr("is consumed although the replies to 1 request"));
  changed["experiment"]["traffic"]["classes"][0]["reply"]["class"] = "others";
  scratch_.write("apart/result.json", changed.dump());
  EXPECT_THAT(verdict(other), testing::HasSubstr("is not the name of a class"));
}

/// A class without a pattern has only replies.
TEST_F(ClassKeys, OfRepliesNameAClass) {
  const std::string text =
      "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: vc-wormhole, channels: 2}\n"
      "traffic: {warmup: 20, measure: 400, classes: [{name: ask, pattern: uniform, rate: 0.04, flits: 2, channels: [0, "
      "0], reply: {class: answer, flits: 5, service: 10}}, {name: answer, channels: [1, 1]}]}\n";
  const auto folder = run(standard_catalogue(), text, "out");
  const Json found = result(folder);
  EXPECT_EQ(found["experiment"]["traffic"]["classes"].dump(),
            R"([{"name":"ask","channels":[0,0],"priority":0,"reply":{"class":"answer","flits":5,"service":10},)"
            R"("pattern":"uniform","flits":2,"rate":0.04,"injection":"bernoulli"},)"
            R"({"name":"answer","channels":[1,1],"priority":0}])");
  EXPECT_EQ(verdict(folder), "");
  EXPECT_NEAR(found["classes"][1]["throughput"]["offered"].get<double>(), 0.1, 0.03);
  // Each packet of a list is answered.
  const auto list =
      run(standard_catalogue(),
          mesh(", classes: [{name: ask, reply: {class: answer, flits: 3, service: 1}}, {name: answer}]"), "list");
  EXPECT_EQ(result(list)["outcome"], "completed");
  EXPECT_EQ(result(list)["classes"][0]["packets"]["total"], 3);
  EXPECT_EQ(result(list)["classes"][1]["packets"]["total"], 2 + 3);
  EXPECT_EQ(verdict(list), "");
}

TEST_F(ClassKeys, OfRepliesAreRefusedWithAPlaceAndASuggestion) {
  const auto fault = [&](const std::string& classes) {
    return refusal(standard_catalogue(),
                   "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\n"
                   "routing: {algorithm: vc-wormhole, channels: 2}\ntraffic:\n  classes: [" +
                       classes + "]\n");
  };
  const std::string ask = "{name: ask, pattern: reversal, reply: ", answer = "{name: answer}";
  EXPECT_EQ(fault(ask + "{class: answr, flits: 1, service: 1}}, " + answer),
            "e.yaml:5:59: traffic.classes.ask.reply.class: unknown class answr (did you mean answer?); known: ask, "
            "answer");
  EXPECT_EQ(fault(ask + "{class: answer, flits: 1}}, " + answer),
            "e.yaml:5:51: traffic.classes.ask.reply.service is missing (time from the delivery of a packet to the "
            "creation of its reply)");
  EXPECT_THAT(fault(ask + "answer}, " + answer),
              testing::StartsWith("e.yaml:5:51: traffic.classes.ask.reply: a section with the keys class, flits, "
                                  "service, places is expected, not \"answer\""));
  EXPECT_EQ(fault("{name: ask, pattern: reversal}, " + answer),
            "e.yaml:5:45: traffic.classes.answer: a class without a pattern has only replies, but no class has them; "
            "give it a pattern, or another class reply: {class: answer, flits: 1, service: 10}");
  EXPECT_EQ(fault("{name: answer, reply: {class: answer, flits: 1, service: 10}}"),
            "e.yaml:5:35: traffic.classes.answer.reply: a class without a pattern has only replies, which are not "
            "answered; give it a pattern, or remove this key");
  EXPECT_THAT(fault("{name: a, rate: 0.1}"), testing::StartsWith("e.yaml:5:13: traffic.classes.a.pattern: one of "));
}

TEST_F(ClassKeys, OfPatternsAreRefusedWithAPlaceAndASuggestion) {
  const auto fault = [&](const std::string& classes) {
    return refusal(standard_catalogue(),
                   "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\n"
                   "routing: {algorithm: vc-wormhole, channels: 2}\ntraffic:\n  classes: [" +
                       classes + "]\n");
  };
  EXPECT_THAT(fault("{name: a, flits: 2}"),
              testing::StartsWith("e.yaml:5:13: traffic.classes.a.pattern: one of uniform, "));
  EXPECT_THAT(fault("{name: a, pattern: unifrom}"),
              testing::StartsWith("e.yaml:5:32: traffic.classes.a.pattern: unknown pattern unifrom (did you mean "
                                  "uniform?)"));
  EXPECT_THAT(fault("{name: a, pattern: packets}"),
              testing::StartsWith("e.yaml:5:32: traffic.classes.a.pattern: packets cannot be the pattern of a class; "
                                  "use uniform, "));
  EXPECT_EQ(fault("{name: a, pattern: uniform}"),
            "e.yaml:5:13: traffic.classes.a.rate is missing (mean rate of each node)");
  EXPECT_THAT(fault("{name: a, pattern: uniform, rate: 0.1, warmup: 5}"),
              testing::StartsWith("e.yaml:5:52: unknown key traffic.classes.a.warmup"));
  EXPECT_EQ(fault("{name: a, pattern: uniform, rate: 0.6}, {name: b, pattern: reversal, rate: 0.6}"),
            "e.yaml:5:3: traffic.classes: the sum of the rates, 1.2 is more than a processor can send: with virtual "
            "channels one flit per step");
  EXPECT_EQ(fault("{name: a, pattern: uniform, rate: 0.1}, {name: b, pattern: reversal}"),
            "e.yaml:5:53: traffic.classes.b: either all classes have a rate, or none: a has one");
  EXPECT_EQ(refusal(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", "vc-wormhole",
                                                     "classes, warmup: 5, classes: [{name: a, pattern: reversal}]")),
            "e.yaml:4:37: traffic.warmup: only open-loop traffic has this key; give the classes a rate");
  EXPECT_THAT(fault("{name: a, pattern: hot-spot, targets: [16], rate: 0.1}"), testing::HasSubstr("16"));
  EXPECT_THAT(refusal(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", "vc-wormhole",
                                                       "uniform, rate: 0.1, classes: [{name: a}]")),
              testing::HasSubstr("traffic.classes: the pattern uniform does not have this key, but others do"));
  EXPECT_EQ(refusal(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", "vc-wormhole", "classes")),
            "e.yaml:4:10: traffic.classes is missing (a list of {name, pattern and its keys, channels: [first, last], "
            "priority, subnet, reply} (docs/traffic-classes.md))");
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
      {"[{name: a, rank: 1}]",
       "62: unknown key traffic.classes.a.rank; known: name, channels, priority, "
       "subnet, reply, pattern"},
      {"[{name: a, channels: [1, 0]}]",
       "72: traffic.classes.a.channels: the first and the last channel are expected, such as [0, 1]"},
      {"[{name: a, channels: 1}]", "72: traffic.classes.a.channels: a list of integers is expected, not 1"}};
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
            "e.yaml:3:22: routing.algorithm: classes of traffic need virtual channels, which greedy does not have; use "
            "vc-wormhole");
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// \file Results by flow and class, and deadlines (docs/workloads.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

constexpr const char* flow_columns =
    "flow,class,source,destination,messages,flits,delivered,mean,p50,p95,p99,max,deadline,missed\n";

class FlowRuns : public CatalogueRuns {
 protected:
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static constexpr const char* mesh = "topology: mesh, shape: [4, 4]";
  static std::string text(const std::string& traffic, const std::string& routing = vc) {
    return experiment(mesh, routing, traffic);
  }
  std::string flows() const { return scratch_.read("out/flows.csv"); }
  /// The first class, without its latency.
  std::string first_class() const {
    Json first = result()["workload"]["classes"][0];
    first.erase("latency");
    return first.dump();
  }
};

/// 30 messages of each pair of neighbours: in a row of the mesh, to the next row, and from corner to corner.
TEST_F(FlowRuns, OfARingHaveTheFiguresOfTheReferenceModel) {
  scratch_.write("p.yaml", "schema: 1\nranks: 16\nprogram:\n  - {op: all-reduce, flits: 64, name: r, deadline: 20}\n");
  run(standard_catalogue(), text("program, file: p.yaml"), "out");
  EXPECT_EQ(verdict(), "");
  std::set<std::string> expected;
  for (int rank = 0; rank < 16; ++rank) {
    const int next = (rank + 1) % 16;
    const std::string latency = rank == 15 ? "26" : rank % 4 == 3 ? "20" : "11";
    const std::string ends = std::to_string(rank) + "->" + std::to_string(next);
    std::string row = "r[0] " + ends + ",," + std::to_string(rank) + "," + std::to_string(next) + ",30,120,30,";
    for (int column = 0; column < 5; ++column) row += latency + ",";
    expected.insert(row + (rank == 15 ? "20,30\n" : "20,0\n"));
  }
  std::string in_order = flow_columns;
  for (const std::string& row : expected) in_order += row;
  EXPECT_EQ(flows(), in_order);
  EXPECT_EQ(
      result()["workload"]["classes"].dump(),
      R"([{"name":"","messages":480,"latency":{"mean":13.625,"p50":11,"p95":26,"p99":26,"max":26},"missed":30}])");
  EXPECT_THAT(output_of(standard_catalogue(), {"check", scratch_.file("e.yaml").string()}),
              HasSubstr("30 of 480 messages miss theirs also without contention; late by at least 6 steps in the flow "
                        "r[0] 15->0"));
  EXPECT_THAT(output_of(standard_catalogue(),
                        {"run", scratch_.file("e.yaml").string(), "--force", "--out", scratch_.file("out").string()}),
              HasSubstr("30 of 480 messages missed; late by at most 6 steps, in the flow r[0] 15->0"));
}

/// A flow has one row, in which a cell is empty where its messages differ.
TEST_F(FlowRuns, LeaveOpenInWhatTheirMessagesDiffer) {
  scratch_.write("d.csv",
                 "cycle,source,destination,flits,flow,deadline,class\n0,0,3,4,same,17,0\n50,0,3,4,same,16,0\n"
                 "0,1,2,1,ends,,1\n40,2,2,1,ends,,0\n0,4,5,1,,9,1\n0,8,9,1,later,1000,0\n");
  const std::string classes = ", classes: [{name: one}, {name: two}]";
  run(standard_catalogue(), text("packets, file: d.csv" + classes), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(flows(), flow_columns + std::string("4->5,two,4,5,1,1,1,8,8,8,8,8,9,0\n"
                                                "ends,,,2,2,2,2,6.5,5,8,8,8,,0\n"
                                                "later,one,8,9,1,1,1,8,8,8,8,8,1000,0\n"
                                                "same,one,0,3,2,8,2,17,17,17,17,17,,1\n"));
  EXPECT_EQ(result()["workload"]["classes"].dump(),
            R"([{"name":"one","messages":4,"latency":{"mean":11.75,"p50":8,"p95":17,"p99":17,"max":17},"missed":1},)"
            R"({"name":"two","messages":2,"latency":{"mean":8,"p50":8,"p95":8,"p99":8,"max":8},"missed":0}])");
}

/// Messages that never arrive have missed their deadlines; those without one miss none.
TEST_F(FlowRuns, CountMessagesThatNeverArrive) {
  scratch_.write("d.csv", "cycle,source,destination,flits,flow,deadline\n0,0,3,4,a,500\n1,0,3,9,a,500\n1,0,1,9,b,\n");
  EXPECT_EQ(status_of_run(standard_catalogue(), text("packets, file: d.csv") + "limits: {steps: 20}\n", "out"), 4);
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(check_of(standard_catalogue(), text("packets, file: d.csv")),
              HasSubstr("2 messages; without contention none misses its deadline"));
  EXPECT_EQ(flows(), flow_columns + std::string("a,,0,3,2,13,1,17,17,17,17,17,500,1\nb,,0,1,1,9,0,,,,,,,0\n"));
  EXPECT_EQ(first_class(), R"({"name":"","messages":3,"missed":1})");
}

TEST_F(FlowRuns, HaveTheClassesOfOperations) {
  scratch_.write("p.yaml",
                 "schema: 1\nranks: 4\nprogram:\n  - {op: all-reduce, flits: 64, class: bulk, after: []}\n"
                 "  - {op: send, from: 0, to: 3, flits: 2, class: 1, after: [], deadline: 60}\n");
  run(standard_catalogue(),
      text("program, file: p.yaml, classes: [{name: bulk, channels: [0, 0]}, {name: urgent, channels: [1, 1]}]",
           "vc-wormhole, channels: 2, buffer: 8, pipeline: 3"),
      "out");
  EXPECT_EQ(verdict(), "");
  const Json found = result();
  EXPECT_EQ(found["workload"]["classes"][0]["messages"], 24);
  EXPECT_EQ(found["workload"]["classes"][1]["messages"], 1);
  EXPECT_EQ(found["classes"][1]["packets"]["total"], 1);
  EXPECT_THAT(flows(), HasSubstr("send[0] 0->3,urgent,0,3,1,2,1,"));
}

TEST_F(FlowRuns, OfAClosedLoopAreItsRequestsAndReplies) {
  const std::string loop =
      "closed-loop, servers: [1], clients: [0], outstanding: 2, request: {flits: 1}, reply: {flits: 5, service: 1}, ";
  run(standard_catalogue(), experiment("topology: mesh, shape: [1, 2]", vc, loop + "requests: 100"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(column("flows.csv", 0), "reply 1->0 request 0->1");
  EXPECT_EQ(column("flows.csv", 4), "100 100");
  // With phases, messages that are created in the measured steps.
  run(standard_catalogue(),
      experiment("topology: mesh, shape: [1, 2]", vc, loop + "warmup: 110, measure: 220, drain: 100"), "out");
  EXPECT_EQ(verdict(), "");
  std::istringstream created(column("messages.csv", 7)), classes(column("messages.csv", 3));
  std::map<std::string, int> counted;
  std::string of_class;
  for (Step step = 0; created >> step && classes >> of_class;) counted[of_class] += step >= 110 && step < 330 ? 1 : 0;
  EXPECT_EQ(column("flows.csv", 4), std::to_string(counted["reply"]) + " " + std::to_string(counted["request"]));
  EXPECT_EQ(counted["reply"], 20);
  EXPECT_EQ(result()["workload"]["classes"][1]["name"], "reply");
  EXPECT_EQ(result()["workload"]["classes"][1]["messages"], counted["reply"]);
}

TEST_F(FlowRuns, OfAnApplicationArePairsOfTasks) {
  scratch_.write("g.yaml",
                 "tasks: ['a,1', b, c]\nedges:\n  - {from: 'a,1', to: b, bandwidth: 800}\n"
                 "  - {from: b, to: c, bandwidth: 400}\n  - {from: 'a,1', to: b, bandwidth: 800}\n");
  run(standard_catalogue(), text("application, file: g.yaml, mapping: [3, 0, 1], steps: 200, flits: 2"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(column("flows.csv", 0), "a_1->b b->c");
  EXPECT_EQ(column("flows.csv", 2), "3 0");
  EXPECT_EQ(column("flows.csv", 12), "- -");
  std::istringstream sources(column("packets.csv", 1));
  const auto of_first =
      std::count(std::istream_iterator<std::string>(sources), std::istream_iterator<std::string>(), "3");
  EXPECT_GT(of_first, 3);
  EXPECT_EQ(column("flows.csv", 4).substr(0, column("flows.csv", 4).find(' ')), std::to_string(of_first));
  EXPECT_THAT(verdict_with("flows.csv", "b->c,,0,1,", "b->c,,0,2,"), HasSubstr("the flow of packets from node 0"));
}

/// Messages in few flows with random deadlines, counted again from `messages.csv`.
TEST_F(FlowRuns, CountWhatTheListOfMessagesHas) {
  std::mt19937 random(20);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int sample = 0; sample < 6; ++sample) {
    std::string rows = "cycle,source,destination,flits,id,after,flow,deadline\n";
    std::vector<Step> deadlines;
    for (int id = 0; id < 120; ++id) {
      deadlines.push_back(below(3) == 0 ? no_step : 5 + below(60));
      rows += std::to_string(below(40)) + "," + std::to_string(below(16)) + "," + std::to_string(below(16)) + "," +
              std::to_string(1 + below(6)) + "," + std::to_string(id) + "," +
              (id > 0 && below(2) == 0 ? std::to_string(below(id)) : "") + "," +
              (below(4) == 0 ? "" : "f" + std::to_string(below(5))) + "," +
              (deadlines.back() == no_step ? "" : std::to_string(deadlines.back())) + "\n";
    }
    scratch_.write("d.csv", rows);
    const std::string experiment = text("packets, file: d.csv" + std::string(sample % 2 == 0 ? "" : ", packet: 2"));
    run(standard_catalogue(), experiment, "out");
    EXPECT_EQ(verdict(), "");
    std::map<std::string, std::vector<Step>> latencies;
    std::map<std::string, int> missed;
    std::istringstream ids(column("messages.csv", 1)), names(column("messages.csv", 2)),
        created(column("messages.csv", 7)), delivered(column("messages.csv", 8));
    std::string name;
    for (Step id = 0, from = 0, to = 0; ids >> id && names >> name && created >> from && delivered >> to;) {
      latencies[name].push_back(to - from);
      const Step deadline = deadlines[static_cast<std::size_t>(id)];
      missed[name] += deadline != no_step && to - from > deadline ? 1 : 0;
    }
    std::string counts, medians, misses;
    for (auto& [flow, own] : latencies) {
      std::sort(own.begin(), own.end());
      counts += std::to_string(own.size()) + " ";
      medians += std::to_string(own[(own.size() + 1) / 2 - 1]) + " ";
      misses += std::to_string(missed[flow]) + " ";
    }
    EXPECT_EQ(column("flows.csv", 4) + " ", counts);
    EXPECT_EQ(column("flows.csv", 8) + " ", medians);
    EXPECT_EQ(column("flows.csv", 13) + " ", misses);
    const std::string rows_of_run = flows();
    run(standard_catalogue(), experiment, "out", {"--no-packets", "--threads", "2"});
    EXPECT_EQ(flows(), rows_of_run);
  }
}

TEST_F(FlowRuns, AreVerified) {
  scratch_.write("d.csv", "cycle,source,destination,flits,flow,deadline\n0,0,3,4,a,17\n90,0,3,4,a,17\n0,4,5,2,b,3\n");
  run(standard_catalogue(), text("packets, file: d.csv"), "out");
  EXPECT_EQ(flows(), flow_columns + std::string("a,,0,3,2,8,2,17,17,17,17,17,17,0\nb,,4,5,1,2,1,9,9,9,9,9,3,1\n"));
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(check_of(standard_catalogue(), text("packets, file: d.csv")),
              HasSubstr("1 of 3 messages miss theirs also without contention; late by at least 6 steps in the flow b"));
  const std::pair<const char*, const char*> damages[] = {{"a,,0,3,2,", "a,,0,3,3,"},
                                                         {"2,8,2,17", "2,9,2,17"},
                                                         {"8,2,17,17", "8,1,17,17"},
                                                         {"a,,0,3", "a,,0,4"},
                                                         {"a,,0,3", "a,,,3"},
                                                         {"a,,0,3", "a,x,0,3"},
                                                         {"8,2,17,17,17", "8,2,16,17,17"},
                                                         {"8,2,17,17,17", "8,2,17,16,17"},
                                                         {"17,17,17,17,0", "17,17,18,17,0"},
                                                         {"17,17,0\n", "17,16,0\n"},
                                                         {"17,0\n", "17,1\n"},
                                                         {"9,3,1\n", "9,3,0\n"},
                                                         {"9,9,9,9,9,3,1", ",,,,,3,1"}};
  for (const auto& [before, after] : damages)
    EXPECT_THAT(verdict_with("flows.csv", before, after), HasSubstr("flows.csv: the flow "));
  EXPECT_THAT(verdict_with("flows.csv", "b,,4,5", "c,,4,5"), HasSubstr("flows.csv: the flow b is missing"));
  EXPECT_THAT(verdict_with("flows.csv", "b,,4,5", "A,,4,5"),
              HasSubstr("flows.csv:3:1: flows are in ascending order of their names"));
  EXPECT_THAT(verdict_with("flows.csv", "9,9,9,9,9", "9,9,9,9,x"), HasSubstr("flows.csv:3:"));
  EXPECT_THAT(verdict_with("result.json", "\"missed\": 1", "\"missed\": 0"), HasSubstr("workload.classes.0.missed"));
  EXPECT_THAT(verdict_with("result.json", "\"messages\": 3", "\"messages\": 4"),
              HasSubstr("workload.classes.0.messages"));
  std::filesystem::remove(scratch_.file("out/flows.csv"));
  EXPECT_THAT(verdict(), HasSubstr("flows.csv"));
}

TEST_F(FlowRuns, RefuseDeadlinesAndClassesThatDoNotExist) {
  scratch_.write("d.csv", "cycle,source,destination,flits,deadline\n0,0,3,4,0\n0,0,3,4,x\n");
  const std::string refused = refusal(standard_catalogue(), text("packets, file: d.csv"));
  EXPECT_THAT(refused, HasSubstr("d.csv:2:9: deadline: 0 is less than 1"));
  EXPECT_THAT(refused, HasSubstr("d.csv:3:9: deadline: 'x' is not an integer"));
  const auto refusal_of = [&](const std::string& keys, const std::string& classes = "") {
    scratch_.write("p.yaml", "schema: 1\nranks: 4\nprogram:\n  - {" + keys + "}\n");
    return refusal(standard_catalogue(), text("program, file: p.yaml" + classes));
  };
  EXPECT_THAT(refusal_of("op: barrier, deadline: 0"),
              HasSubstr("p.yaml:4:29: deadline is an integer from 1 to 1000000000000000000, not '0'"));
  EXPECT_THAT(refusal_of("compute: 5, deadline: 1"), HasSubstr("p.yaml:4:18: unknown key 'deadline'"));
  EXPECT_THAT(refusal_of("op: barrier, class: 1"),
              HasSubstr("p.yaml:4:26: class: 1 is more than 0, because the experiment has no traffic.classes"));
  EXPECT_THAT(refusal_of("op: barrier, class: fast", ", classes: [{name: slow}]"),
              HasSubstr("class: 'fast' is neither the number nor the name of one of traffic.classes"));
  EXPECT_THAT(refusal_of("op: barrier, class: 1", ", classes: [{name: slow}]"),
              HasSubstr("class: 1 is more than 0, the number of the last of traffic.classes"));
}

/// Only an algorithm that fixes paths shows in advance which flows take a link.
TEST_F(FlowRuns, AreNamedAtTheLinksOfThePicture) {
  scratch_.write("d.csv",
                 "cycle,source,destination,flits,flow\n0,0,2,4,small\n0,1,2,5,large\n5,0,2,2,large\n9,2,1,1,back\n");
  const std::string network = "topology: mesh, shape: [1, 3]", traffic = "packets, file: d.csv, packet: 1";
  const auto picture = [&](const char* routing) {
    run(standard_catalogue(), experiment(network, routing, traffic), "out");
    return scratch_.read("out/links.svg");
  };
  const std::string named = picture("greedy");
  EXPECT_THAT(named, HasSubstr("link_r00_c00_east 6 flits, 50 %: small, 4 flits; large, 2 flits<"));
  EXPECT_THAT(named, HasSubstr("link_r00_c01_east 11 flits, 91.7 %: large, 7 flits; small, 4 flits<"));
  EXPECT_THAT(named, HasSubstr("link_r00_c02_west 1 flit, 8.33 %: back, 1 flit<"));
  EXPECT_THAT(picture("vc-wormhole, channels: 2, function: west-first"), Not(HasSubstr("large")));
  const std::string two = experiment(network + ", subnets: 2", "vc-wormhole, channels: 1", "packets, file: d.csv");
  run(standard_catalogue(), two, "out");
  EXPECT_THAT(scratch_.read("out/links.svg"), Not(HasSubstr("large")));
}

}  // namespace
}  // namespace starloom

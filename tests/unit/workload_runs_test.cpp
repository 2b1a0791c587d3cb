// SPDX-License-Identifier: Apache-2.0
/// \file Runs of packets that wait for others, and their files (docs/workloads.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

constexpr const char* chain =
    "cycle,source,destination,flits,id,after,delay\n0,0,3,4,1,,\n0,3,12,4,2,1,10\n0,12,15,1,3,2,0\n100,15,0,8,4,3,5\n"
    "0,0,5,2,5,1 4,\n";

class WorkloadRuns : public CatalogueRuns {
 protected:
  static std::string text(const std::string& routing, const std::string& traffic = "packets, file: d.csv",
                          const std::string& network = "topology: mesh, shape: [4, 4]") {
    return experiment(network, routing, traffic);
  }
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  std::string created() const { return column("messages.csv", 7); }
  std::string delivered() const { return column("messages.csv", 8); }

  /// Messages and events that wait for each other, in a random order.
  static std::string random_file(unsigned seed, int count, int longest) {
    std::mt19937 random(seed);
    const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    std::vector<int> order(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::string> rows(order.size());
    for (int place = 0; place < count; ++place) {
      std::string after;
      if (place > 0)
        for (int left = below(3); left > 0; --left)
          after += (after.empty() ? "" : " ") + std::to_string(order[static_cast<std::size_t>(below(place))]);
      const int source = below(16), flits = below(5) == 0 ? 0 : 1 + below(longest);
      std::ostringstream row;
      row << (below(3) == 0 ? below(60) : 0) << ',' << source << ',' << (flits == 0 ? source : below(16)) << ','
          << flits << ',' << order[static_cast<std::size_t>(place)] << ',' << after << ',' << below(9) << '\n';
      rows[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])] = row.str();
    }
    std::string text = "cycle,source,destination,flits,id,after,delay\n";
    for (const std::string& row : rows) text += row;
    return text;
  }
};

TEST_F(WorkloadRuns, ChainHasTheStepsOfTheReferenceModel) {
  scratch_.write("d.csv", chain);
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(created(), "0 27 54 100 131");
  EXPECT_EQ(delivered(), "17 53 68 130 143");
  EXPECT_EQ(column("messages.csv", 9), "- 0 1 2 3");
  EXPECT_EQ(verdict(), "");
  const Json found = result();
  EXPECT_EQ(found["workload"].dump(),
            R"({"messages":{"total":5,"delivered":5},"end":143,"late":3,"paused":0,"classes":[{"name":"","messages":5,)"
            R"("latency":{"mean":19.8,"p50":17,"p95":30,"p99":30,"max":30},"missed":0}]})");
  EXPECT_EQ(found["bounds"]["critical_path"], 143);
  EXPECT_EQ(found["steps"], 143);
  run(standard_catalogue(), text("vc-wormhole, channels: 1, buffer: 8, pipeline: 5"), "out");
  EXPECT_EQ(created(), "0 35 76 103 148");
  EXPECT_EQ(delivered(), "25 75 98 147 166");
  EXPECT_EQ(verdict(), "");
  run(standard_catalogue(), text("greedy", "packets, file: d.csv, packet: 1"), "out");
  EXPECT_EQ(created(), "0 16 26 100 114");
  EXPECT_EQ(delivered(), "6 25 29 113 117");
  EXPECT_EQ(result()["packets"]["total"], 19);
  EXPECT_EQ(result()["bounds"]["critical_path"], 117);
  EXPECT_EQ(verdict(), "");
}

TEST_F(WorkloadRuns, AreTheSameInAnyOrderAndNumberOfThreads) {
  for (const char* routing : {vc, "greedy"}) {
    const bool single = std::string(routing) == "greedy";
    const std::string experiment = text(routing, single ? "packets, file: d.csv, packet: 1" : "packets, file: d.csv");
    scratch_.write("d.csv", random_file(7, 200, 6));
    expect_same_bytes_in_any_order(standard_catalogue(), experiment);
  }
}

/// A file of packets with the steps in which a run created them gives the same deliveries, so that the steps of the
/// workload are those of a network that knows nothing of it.
TEST_F(WorkloadRuns, GiveThePacketsOfAPlainFile) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    scratch_.write("d.csv", random_file(seed, 120, 9));
    const std::string routing = seed % 2 == 0 ? vc : "vc-wormhole, channels: 2, buffer: 3, pipeline: 4";
    const std::string cut = seed % 3 == 0 ? ", packet: 4" : "";
    const auto out = run(standard_catalogue(), text(routing, "packets, file: d.csv" + cut), "out");
    EXPECT_EQ(verdict(), "");
    const Json found = result();
    EXPECT_GE(found["steps"], found["bounds"]["critical_path"]);
    EXPECT_EQ(found["outcome"], "completed");
    std::istringstream lines(read(out / "packets.csv"));
    std::string line, plain = "cycle,source,destination,flits\n";
    for (std::getline(lines, line); std::getline(lines, line);) {
      std::istringstream cells(line);
      std::string number, source, destination, flits, step;
      for (std::string* cell : {&number, &source, &destination, &flits, &step}) std::getline(cells, *cell, ',');
      plain += step + "," + source + "," + destination + "," + flits + "\n";
    }
    scratch_.write("plain.csv", plain);
    const auto other = run(standard_catalogue(), text(routing, "packets, file: plain.csv"), "plain");
    EXPECT_TRUE(same_rows(out, other)) << seed;
  }
}

/// An algorithm without a fixed first port may let the packets of a message leave their source by several ports.
TEST_F(WorkloadRuns, AreNotFasterThanTheirCriticalPath) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id\n0,0,15,16,1\n");
  const auto expect_bound = [this](const std::string& experiment, Step steps, Step bound) {
    run(standard_catalogue(), experiment, "out");
    EXPECT_EQ(result()["steps"], steps);
    EXPECT_EQ(result()["bounds"]["critical_path"], bound);
    EXPECT_EQ(verdict(), "");
  };
  const std::string cut = "packets, file: d.csv, packet: 1";
  expect_bound(text("greedy", cut), 21, 21);
  expect_bound(text("deflection", cut), 21, 6);
  expect_bound(text("vc-wormhole, function: adaptive, channels: 4, buffer: 8", cut), 38, 38);
  expect_bound(text("vc-wormhole, channels: 2, buffer: 8", cut + ", classes: [{name: a, subnet: any}]",
                    "topology: mesh, shape: [4, 4], subnets: 2"),
               38, 38);
}

TEST_F(WorkloadRuns, AreVerifiedByTheirMessages) {
  scratch_.write("d.csv", chain);
  run(standard_catalogue(), text(vc, "packets, file: d.csv, packet: 3"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(verdict_with("messages.csv", "2,3,12->15,,12,15,1,", "2,3,12->15,,12,15,2,"),
              HasSubstr("message 2 does not have its packets in packets.csv"));
  EXPECT_THAT(verdict_with("messages.csv", "1,2,3->12,,3,12,4,27,53,0", "1,2,3->12,,3,12,4,27,52,0"),
              HasSubstr("messages.csv: message 1 was delivered in step 53, by its packets"));
  EXPECT_THAT(verdict_with("messages.csv", "1,2,3->12,,3,12,4,27,53,0", "1,2,3->12,,3,12,4,27,53,1"),
              HasSubstr("messages.csv:3:25: a message is released by one with a lower number"));
  EXPECT_THAT(verdict_with("result.json", "\"delivered\": 5\n", "\"delivered\": 4\n"),
              HasSubstr("workload.messages.delivered"));
  std::filesystem::remove(scratch_.file("out/messages.csv"));
  EXPECT_THAT(verdict(), HasSubstr("messages.csv"));
}

/// Rows show that a message was delivered after another one was created that it is said to have released.
TEST_F(WorkloadRuns, AreVerifiedByTheOrderOfTheirMessages) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id,after\n0,0,3,4,1,\n5,3,12,4,2,\n40,1,2,1,3,1\n");
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(column("messages.csv", 9), "- - 0");
  const std::string rows = scratch_.read("out/messages.csv");
  const std::size_t second = rows.find("\n1,2,");
  const std::size_t end = rows.find('\n', second + 1);
  scratch_.write("out/messages.csv", rows.substr(0, end) + "0" + rows.substr(end));
  EXPECT_THAT(verdict(), HasSubstr("packet 1, flit 0 is created, but waits for packet 0, which has not arrived"));
}

TEST_F(WorkloadRuns, WaitForComputationAndTimeThatNothingElseUses) {
  scratch_.write("d.csv",
                 "cycle,source,destination,flits,id,after,delay\n0,0,1,1,1,,\n0,1,1,0,2,1,1000000000\n0,1,0,1,3,2,\n"
                 "0,0,0,2,4,3,7\n0,0,1,1,5,4,\n");
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(result()["outcome"], "completed");
  EXPECT_EQ(verdict(), "");
  const std::string first = delivered().substr(0, delivered().find(' '));
  EXPECT_EQ(created().substr(0, created().find(' ', 2)), "0 " + std::to_string(std::stoll(first) + 1000000000));
}

TEST_F(WorkloadRuns, EndWithTheirLastEvent) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id,after,delay\n0,0,1,1,1,,\n0,1,1,0,2,1,50\n");
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(result()["workload"]["end"], std::stoll(delivered()) + 50);
  EXPECT_EQ(result()["steps"], std::stoll(delivered()));
}

TEST_F(WorkloadRuns, NameTheMessagesThatWaitAtABadEnd) {
  scratch_.write("d.csv", chain);
  EXPECT_EQ(status_of_run(standard_catalogue(), text(vc) + "limits: {steps: 30}\n", "out"), 4);
  Json workload = result()["workload"];
  workload.erase("classes");
  EXPECT_EQ(workload.dump(), R"({"messages":{"total":5,"delivered":1},"end":17,"late":1,"paused":0})");
  EXPECT_EQ(verdict(), "");
  testing::internal::CaptureStderr();
  run_command(standard_catalogue(),
              {"run", scratch_.file("e.yaml").string(), "--out", scratch_.file("out").string(), "--force"});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("id 3 (line 4) waits for id 2 (line 3), which was not delivered"));
}

TEST_F(WorkloadRuns, GoWithClassesAndReplies) {
  scratch_.write("d.csv",
                 "cycle,source,destination,flits,class,id,after\n0,0,5,2,ask,1,\n0,5,0,3,data,2,1\n0,0,5,1,ask,3,2\n"
                 "0,0,5,1,0,4,2\n");
  run(standard_catalogue(),
      text("vc-wormhole, channels: 2, buffer: 4",
           "packets, file: d.csv, classes: [{name: ask, channels: [0, 0], reply: {flits: 4, service: 3, class: data}}, "
           "{name: data, channels: [1, 1]}]"),
      "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(column("messages.csv", 3), "ask data ask ask");
  EXPECT_EQ(result()["packets"]["total"], 7);
  EXPECT_EQ(result()["workload"]["messages"]["total"], 4);
}

TEST_F(WorkloadRuns, AreRefusedWhereAllPacketsMustBeKnown) {
  scratch_.write("d.csv", chain);
  EXPECT_THAT(
      refusal(standard_catalogue(), text("kunde")),
      HasSubstr("traffic.file: packets wait for others, which needs a network that runs step by step, but kunde "
                "needs all packets in step 0; leave out the columns id, after, delay, flow and deadline"));
  EXPECT_THAT(refusal(standard_catalogue(), text("greedy")),
              HasSubstr("packets of 8 flits, but greedy moves only packets of one flit"));
  EXPECT_THAT(refusal(standard_catalogue(),
                      experiment("topology: pops, groups: 4, group_size: 4", "direct", "packets, file: d.csv")),
              HasSubstr("d.csv:1:32: in pops networks packets do not wait for others; leave out all columns but "
                        "cycle,source,destination,flits"));
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// \file The chain of messages that made a run as long as it was (docs/critical-path.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class CriticalPathRuns : public CatalogueRuns {
 protected:
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static std::string text(const std::string& traffic, const std::string& routing = vc,
                          const std::string& network = "topology: mesh, shape: [4, 4]") {
    return experiment(network, routing, traffic);
  }
  std::string why(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"why", scratch_.file("out").string()};
    words.insert(words.end(), options.begin(), options.end());
    return output_of(standard_catalogue(), words);
  }
  /// The numbers of a column of a file; -1 for empty cells.
  std::vector<Step> numbers(const std::string& file, std::size_t number) const {
    std::istringstream cells(column(file, number));
    std::vector<Step> found;
    for (std::string cell; cells >> cell;) found.push_back(cell == "-" ? -1 : std::stoll(cell));
    return found;
  }
  /// Why the program refuses words.
  static std::string fault_of(const std::vector<std::string>& words) {
    try {
      run_command(standard_catalogue(), words);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

/// Each message waits for the one before it, with the steps of the reference model.
TEST_F(CriticalPathRuns, SplitAChainIntoComputationLatencyAndContention) {
  scratch_.write("d.csv",
                 "cycle,source,destination,flits,id,after,delay\n0,0,3,4,1,,\n0,3,12,4,2,1,10\n0,12,15,1,3,2,0\n"
                 "100,15,0,8,4,3,5\n0,0,5,2,5,1 4,\n");
  run(standard_catalogue(), text("packets, file: d.csv"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(scratch_.read("out/critical_path.csv"),
            "message,compute,ideal,contention\n0,0,17,0\n1,10,26,0\n2,1,14,0\n3,32,30,0\n4,1,12,0\n");
  EXPECT_EQ(why({"--program"}),
            "step 143, the last delivery, ends a chain of 5 messages: 143 = compute 44 + ideal 99 + contention 0\n\n"
            "   message   created delivered   compute     ideal contention  flow\n"
            "         0         0        17         0        17          0  0->3\n"
            "         1        27        53        10        26          0  3->12\n"
            "         2        54        68         1        14          0  12->15\n"
            "         3       100       130        32        30          0  15->0\n"
            "         4       131       143         1        12          0  0->5\n");
  const Json json = Json::parse(why({"--program", "--json"}));
  EXPECT_EQ(json["steps"], 143);
  EXPECT_EQ(json["chain"].size(), 5U);
  EXPECT_EQ(json["chain"][3].dump(), R"({"message":3,"compute":32,"ideal":30,"contention":0})");
}

TEST_F(CriticalPathRuns, OfSeveralLastMessagesBelongToTheFirst) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id\n0,0,1,1,\n0,4,6,2,\n0,8,10,2,\n0,12,13,1,\n");
  run(standard_catalogue(), text("packets, file: d.csv"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(scratch_.read("out/critical_path.csv"), "message,compute,ideal,contention\n1,0,12,0\n");
}

/// No run of a ring is longer than its critical path if all ranks are neighbours, so nothing in it is contention.
TEST_F(CriticalPathRuns, OfALongRingListItsEnds) {
  scratch_.write("p.yaml",
                 "schema: 1\nranks: 16\nprogram:\n  - {repeat: 2, body: [{op: all-reduce, flits: 64}]}\n"
                 "  - {compute: 9}\n");
  run(standard_catalogue(), text("program, file: p.yaml"), "out");
  EXPECT_EQ(verdict(), "");
  const std::string shown = why({"--program"});
  EXPECT_THAT(shown, HasSubstr(" + contention 0\n"));
  EXPECT_THAT(shown, HasSubstr("\n  ... 20 more: critical_path.csv\n"));
  EXPECT_THAT(shown, HasSubstr("events go on to step " + std::to_string(result()["workload"]["end"].get<Step>())));
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 46);
}

/// Chains of random messages, found again in `messages.csv`.
TEST_F(CriticalPathRuns, AreTheChainsOfTheListOfMessages) {
  std::mt19937 random(7);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  Step contention = 0;
  for (const char* const routing : {vc, "vc-wormhole, channels: 2, buffer: 2, pipeline: 5", "greedy", "deflection"})
    for (int sample = 0; sample < 3; ++sample) {
      std::string rows = "cycle,source,destination,flits,id,after,delay\n";
      for (int id = 0; id < 150; ++id) {
        const int source = below(16), flits = below(6);
        rows += std::to_string(below(3) == 0 ? below(50) : 0) + "," + std::to_string(source) + "," +
                std::to_string(flits == 0 ? source : below(16)) + "," + std::to_string(flits) + "," +
                std::to_string(id) + "," + (id > 4 && below(4) > 0 ? std::to_string(id - 1 - below(4)) : "") + "," +
                std::to_string(below(5)) + "\n";
      }
      scratch_.write("d.csv", rows);
      const bool worms = std::string(routing).find("vc") == 0;
      run(standard_catalogue(), text(worms ? "packets, file: d.csv" : "packets, file: d.csv, packet: 1", routing),
          "out");
      EXPECT_EQ(verdict(), "");
      const std::vector<Step> created = numbers("messages.csv", 7), delivered = numbers("messages.csv", 8),
                              released_by = numbers("messages.csv", 9);
      const Step last = *std::max_element(delivered.begin(), delivered.end());
      std::vector<Step> chain;
      for (Step at = std::find(delivered.begin(), delivered.end(), last) - delivered.begin(); at >= 0;
           at = released_by[static_cast<std::size_t>(at)])
        chain.insert(chain.begin(), at);
      EXPECT_EQ(numbers("critical_path.csv", 0), chain);
      const std::vector<Step> compute = numbers("critical_path.csv", 1), ideal = numbers("critical_path.csv", 2),
                              waited = numbers("critical_path.csv", 3);
      Step sum = 0;
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const auto at = static_cast<std::size_t>(chain[i]);
        EXPECT_EQ(ideal[i] + waited[i], delivered[at] - created[at]);
        EXPECT_GE(waited[i], 0);
        sum += compute[i] + ideal[i] + waited[i];
        contention += waited[i];
      }
      EXPECT_EQ(sum, last);
    }
  EXPECT_GT(contention, 0);
}

TEST_F(CriticalPathRuns, NameTheMessageThatReleasedAPacket) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id,after,delay\n0,0,3,40,1,,\n0,3,12,4,2,1,10\n");
  run(standard_catalogue(), text("packets, file: d.csv, packet: 16"), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(why({"--packet", "2"}), HasSubstr("\nmessage 0, flow 0->3: waited for no other message\n\n"));
  EXPECT_THAT(why({"--packet", "3"}), HasSubstr("created in step 63, delivered in step 89\n"
                                                "message 1, flow 3->12: created 10 steps after packet 2 completed "
                                                "message 0, flow 0->3, in step 53\n\n"));
  const Json first = Json::parse(why({"--packet", "2", "--json"})),
             second = Json::parse(why({"--packet", "3", "--json"}));
  EXPECT_EQ(first["message"], 0);
  EXPECT_EQ(first["released_by"], Json());
  EXPECT_EQ(second["flow"], "3->12");
  EXPECT_EQ(second["released_by"].dump(), R"({"message":0,"flow":"0->3","packet":2,"delivered":53})");
}

TEST_F(CriticalPathRuns, NameNoMessageOfPacketsThatDoNotWait) {
  run(standard_catalogue(), text("uniform, rate: 0.1, warmup: 0, measure: 50, drain: 100"), "out");
  const Json json = Json::parse(why({"--packet", "0", "--json"}));
  EXPECT_FALSE(json.contains("message"));
  EXPECT_FALSE(json.contains("released_by"));
}

TEST_F(CriticalPathRuns, AreVerified) {
  scratch_.write("d.csv", "cycle,source,destination,flits,id,after\n0,0,3,4,1,\n5,3,12,4,2,1\n40,1,2,1,3,1\n");
  run(standard_catalogue(), text("packets, file: d.csv"), "out");
  EXPECT_EQ(scratch_.read("out/critical_path.csv"), "message,compute,ideal,contention\n0,0,17,0\n2,23,8,0\n");
  EXPECT_EQ(verdict(), "");
  const auto damaged = [this](const char* before, const char* after) {
    return verdict_with("critical_path.csv", before, after);
  };
  EXPECT_THAT(damaged("2,23,8,0\n", ""), HasSubstr("critical_path.csv: the chain does not end with the last delivery"));
  EXPECT_THAT(damaged("0,0,17,0\n", ""), HasSubstr("message 2 was not released by the message before it"));
  EXPECT_THAT(damaged("2,23,8,0", "2,22,9,0"), HasSubstr("message 2 has other steps before its creation"));
  EXPECT_THAT(damaged("2,23,8,0", "2,23,8,1"), HasSubstr("message 2 has another latency"));
  EXPECT_THAT(damaged("0,0,17,0", "9,0,17,0"), HasSubstr("message 9 does not exist"));
  EXPECT_THAT(damaged("0,0,17,0", "0,0,17,-1"), HasSubstr("critical_path.csv:2:8:"));
  scratch_.write("out/critical_path.csv", "message,compute,ideal,contention\n9,0,17,0\n");
  EXPECT_THAT(fault_of({"why", scratch_.file("out").string(), "--program"}),
              HasSubstr("critical_path.csv: message 9 was not delivered, by messages.csv"));
}

TEST_F(CriticalPathRuns, NeedMessages) {
  const std::string folder = scratch_.file("out").string();
  run(standard_catalogue(), text("transpose"), "out");
  EXPECT_THAT(fault_of({"why", folder, "--program"}),
              HasSubstr("out: its packets do not wait for others, so no chain of them made the run long"));
  scratch_.write("d.csv", "cycle,source,destination,flits,id\n0,0,3,4,1\n");
  run(standard_catalogue(), text("packets, file: d.csv"), "out", {"--no-packets"});
  EXPECT_THAT(fault_of({"why", folder, "--program"}),
              HasSubstr("critical_path.csv: is missing; run without --no-packets"));
  EXPECT_THAT(fault_of({"why", folder, "--program", "--packet", "0"}), HasSubstr("--program"));
  EXPECT_EQ(status_of_run(standard_catalogue(), text("packets, file: d.csv") + "limits: {steps: 3}\n", "out"), 4);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(why({"--program"}), "no message was delivered\n");
  EXPECT_EQ(Json::parse(why({"--program", "--json"})).dump(), R"({"steps":0,"chain":[]})");
}

}  // namespace
}  // namespace starloom

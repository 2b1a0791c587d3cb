// SPDX-License-Identifier: Apache-2.0
/// \file Runs of closed loops (docs/closed-loop.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class ClosedLoopRuns : public CatalogueRuns {
 protected:
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static constexpr const char* v2 = "vc-wormhole, channels: 2, buffer: 4, pipeline: 3";
  static std::string text(const std::string& keys, const std::string& shape = "[1, 2]",
                          const std::string& routing = vc) {
    return experiment("topology: mesh, shape: " + shape, routing, "closed-loop, " + keys);
  }
  Json run_of(const std::string& experiment) {
    const int status = status_of_run(standard_catalogue(), experiment, "out");
    EXPECT_EQ(verdict(), "") << experiment;
    const Json found = result();
    EXPECT_EQ(status, found["outcome"] == "deadlock" ? 4 : 0) << experiment;
    return found;
  }
};

/// The figures of a reference model that knows only the definition.
TEST_F(ClosedLoopRuns, HaveTheStepsOfTheReferenceModel) {
  const auto last_reply = [&](int service, int outstanding) {
    return run_of(text("servers: [1], requests: 100, reply: {flits: 5, service: " + std::to_string(service) +
                       "}, outstanding: " + std::to_string(outstanding)));
  };
  const int brief[] = {2199, 1104, 747, 564, 516};
  for (int outstanding = 1; outstanding <= 5; ++outstanding)
    EXPECT_EQ(last_reply(1, outstanding)["steps"], brief[outstanding - 1]);
  const std::tuple<int, int, double> lengthy[] = {{1, 3099, 30}, {3, 1053, 30.3}, {4, 1020, 39.24}};
  for (const auto& [outstanding, steps, round_trip] : lengthy) {
    const Json found = last_reply(10, outstanding);
    EXPECT_EQ(found["steps"], steps);
    EXPECT_EQ(found["workload"]["closed_loop"]["round_trip"]["mean"], round_trip);
    EXPECT_EQ(found["workload"]["closed_loop"]["replies"], 100);
  }
  const auto across = [](int outstanding) {
    return text("servers: [15], clients: [0], requests: 10, reply: {flits: 5, service: 20}, outstanding: " +
                    std::to_string(outstanding),
                "[4, 4]");
  };
  EXPECT_EQ(run_of(across(1))["steps"], 709);
  EXPECT_EQ(run_of(across(4))["steps"], 250);
}

/// N / (round trip + think) replies in a step, until the link is full.
TEST_F(ClosedLoopRuns, HaveTheRateOfTheirRoundTrip) {
  const int replies[] = {1000, 2000, 3000, 4000, 4400};
  for (int outstanding = 1; outstanding <= 5; ++outstanding) {
    const Json found =
        run_of(text("servers: [1], reply: {flits: 5, service: 1}, warmup: 2200, measure: 22000, outstanding: " +
                    std::to_string(outstanding)));
    const Json& loop = found["workload"]["closed_loop"];
    EXPECT_EQ(found["outcome"], "completed");
    EXPECT_EQ(loop["replies"], replies[outstanding - 1]);
    const double rate = replies[outstanding - 1] / 22000.0;
    EXPECT_EQ(loop["rate"], rate);
    // The law of Little, exact because the loop is periodic.
    EXPECT_NEAR(rate * (loop["round_trip"]["mean"].get<double>() + 1), outstanding, 1e-9);
    EXPECT_EQ(found["saturated"], false);
    EXPECT_FALSE(found["bounds"].contains("critical_path"));
  }
}

TEST_F(ClosedLoopRuns, ShareMemoryControllers) {
  const std::string all = "servers: [0, 3, 12, 15], server: {queue: 8, replies: 4}, reply: {flits: 5, service: 10";
  const auto keys = [&](const std::string& channels, int outstanding) {
    return all + channels + "}, outstanding: " + std::to_string(outstanding);
  };
  const int steps[] = {8938, 6052, 6038};
  const int outstanding[] = {1, 2, 4};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run_of(text(keys(", channels: 1", outstanding[i]) + ", requests: 200", "[4, 4]", v2))["steps"], steps[i]);
  EXPECT_EQ(run_of(text(keys(", channels: 1", 2) + ", warmup: 1000, measure: 10000", "[4, 4]",
                        v2))["workload"]["closed_loop"]["rate"],
            0.3999);
  // Requests and replies share the only channel.
  const std::string v1 = "vc-wormhole, channels: 1, buffer: 4, pipeline: 3";
  const Json found = run_of(text(keys("", 16) + ", requests: 200", "[4, 4]", v1));
  EXPECT_EQ(found["outcome"], "deadlock");
  EXPECT_EQ(found["workload"]["closed_loop"]["replies"], 5);
  EXPECT_EQ(run_of(text(keys("", 4) + ", requests: 200", "[4, 4]", v1))["steps"], 6038);
}

/// Two nodes that ask each other, with V channels of B slots, Q places and R replies: 3 V B slots, in the local
/// in-port, behind the link and at the exit, then Q requests and R replies fill both sides.
TEST_F(ClosedLoopRuns, DeadlockFromTheRequestOnThatFillsAllSlots) {
  const auto keys = [](int outstanding, int queue, int replies, const std::string& channels, int requests) {
    return "servers: all, outstanding: " + std::to_string(outstanding) + ", reply: {flits: 1, service: 5" + channels +
           "}, server: {queue: " + std::to_string(queue) + ", replies: " + std::to_string(replies) +
           "}, requests: " + std::to_string(requests);
  };
  const auto routing = [](int channels, int buffer) {
    return "vc-wormhole, channels: " + std::to_string(channels) + ", buffer: " + std::to_string(buffer) +
           ", pipeline: 3";
  };
  EXPECT_EQ(run_of(text(keys(13, 1, 1, "", 500), "[1, 2]", routing(1, 4)))["steps"], 3510);
  const Json found = run_of(text(keys(14, 1, 1, "", 500), "[1, 2]", routing(1, 4)));
  EXPECT_EQ(found["outcome"], "deadlock");
  EXPECT_EQ(found["deadlock"]["step"], 19);
  EXPECT_EQ(found["workload"]["closed_loop"].dump(), R"({"replies":0,"rate":0.0})");
  // A request held at the exit has the local port, and is followed by the reply that holds the server.
  const Json& circle = found["deadlock"]["circle"];
  bool followed = false;
  for (std::size_t i = 0; i < circle.size(); ++i)
    followed = followed || (circle[i]["port"] == 4 && circle[(i + 1) % circle.size()]["port"].is_null());
  EXPECT_TRUE(followed) << circle;
  const std::tuple<int, int, int, int> cases[] = {{4, 2, 1, 1}, {4, 1, 2, 1}, {4, 4, 4, 1}, {2, 1, 1, 1},
                                                  {8, 1, 1, 1}, {1, 1, 1, 1}, {4, 1, 1, 2}};
  for (const auto& [buffer, queue, replies, channels] : cases) {
    const int first = 3 * channels * buffer + queue + replies;
    for (const int outstanding : {first - 1, first})
      EXPECT_EQ(run_of(text(keys(outstanding, queue, replies, "", 60), "[1, 2]", routing(channels, buffer)))["outcome"],
                outstanding < first ? "completed" : "deadlock")
          << buffer << " " << queue << " " << replies << " " << channels << " " << outstanding;
  }
  EXPECT_EQ(run_of(text(keys(64, 1, 1, ", channels: 1", 500), "[1, 2]", routing(2, 4)))["steps"], 2516);
}

TEST_F(ClosedLoopRuns, CheckSaysWhetherRequestsAndRepliesCanDeadlock) {
  const auto verdict_of = [&](const std::string& server, const std::string& channels, int outstanding) {
    const std::string output =
        check_of(standard_catalogue(), text("servers: [0, 3], requests: 5, reply: {flits: 2, service: 4" + channels +
                                                "}, outstanding: " + std::to_string(outstanding) + server,
                                            "[1, 4]", v2));
    const std::string name = "\n  messages      ";
    const std::size_t from = output.find(name) + name.size();
    return output.substr(from, output.find('\n', from) - from);
  };
  EXPECT_EQ(verdict_of("", "", 4), "acyclic: servers accept any number of requests");
  EXPECT_EQ(verdict_of(", server: {queue: 2}", "", 4),
            "acyclic: servers create replies whether the earlier ones have left or not");
  EXPECT_EQ(verdict_of(", server: {queue: 2, replies: 1}", ", channels: 1", 4),
            "acyclic: requests and replies share no channel");
  EXPECT_EQ(verdict_of(", server: {queue: 8, replies: 1}", "", 4),
            "acyclic: at most 8 requests are under way to a server, and its queue has room for 8");
  EXPECT_EQ(verdict_of(", server: {queue: 7, replies: 1}", "", 4),
            "may-deadlock: request -> queue -> reply -> channels -> request: 8 requests can be under way to "
            "node_r00_c00,");
  EXPECT_EQ(verdict_of(", server: {queue: 4, replies: 1}, destination: nearest", "", 4),
            "acyclic: at most 4 requests are under way to a server, and its queue has room for 4");
}

TEST_F(ClosedLoopRuns, AreTheSameInAnyOrderAndNumberOfThreads) {
  for (const char* const keys :
       {"servers: [0, 3, 12, 15], server: {queue: 3, replies: 2}, reply: {flits: 5, service: 3, channels: 1}",
        "servers: all, destination: uniform, think: 4, server: {ways: 2}, reply: {flits: 3, service: 9}"}) {
    const std::string experiment = text(std::string(keys) + ", outstanding: 3, requests: 12", "[4, 4]", v2);
    expect_same_bytes_in_any_order(standard_catalogue(), experiment);
  }
}

TEST_F(ClosedLoopRuns, AdvisesALongerDrain) {
  testing::internal::CaptureStderr();
  const Json found =
      run_of(text("servers: [1], outstanding: 3, reply: {flits: 5, service: 900}, warmup: 0, measure: 909, drain: 5"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("undelivered after the drain; raise traffic.drain\n"));
  EXPECT_EQ(found["outcome"], "saturated");
}

TEST_F(ClosedLoopRuns, VerifyComparesReplies) {
  run_of(text("servers: [1], outstanding: 2, requests: 10, reply: {flits: 5, service: 4}"));
  EXPECT_EQ(verdict_with("result.json", R"("replies": 10)", R"("replies": 11)"),
            "in result.json workload.closed_loop.replies is 11, but packets and rows give 10");
  const std::string mean = "\"mean\": " + result()["workload"]["closed_loop"]["round_trip"]["mean"].dump();
  EXPECT_NE(verdict_with("result.json", mean + ",\n        \"p50\"", "\"mean\": 3.5,\n        \"p50\""), "");
  // A reply that names another request.
  EXPECT_NE(verdict_with("messages.csv", "reply 1->0,reply,1,0,5,12,", "reply 1->0,request,1,0,5,12,"), "");
}

TEST_F(ClosedLoopRuns, WorkWithSingleFlitAlgorithms) {
  const Json found = run_of(text(
      "servers: [5, 10], outstanding: 3, requests: 20, think: 2, reply: {flits: 1, service: 4}", "[4, 4]", "greedy"));
  EXPECT_EQ(found["outcome"], "completed");
  EXPECT_EQ(found["workload"]["closed_loop"]["replies"], 14 * 20);
  EXPECT_GE(found["steps"], found["bounds"]["critical_path"]);
}

TEST_F(ClosedLoopRuns, RefuseWhatDoesNotFit) {
  const auto fault = [&](const std::string& keys, const std::string& routing = vc) {
    return refusal(standard_catalogue(), text(keys, "[2, 2]", routing));
  };
  const std::string reply = ", outstanding: 1, reply: {flits: 1, service: 1}";
  EXPECT_THAT(fault("servers: [0]" + reply), HasSubstr("traffic.requests: the run needs an end"));
  EXPECT_THAT(fault("servers: [0], outstanding: 1, requests: 1"),
              HasSubstr("traffic.reply: the flits and the service"));
  EXPECT_THAT(fault("servers: [0], requests: 1, measure: 5" + reply), HasSubstr("traffic.measure: the run ends after"));
  EXPECT_THAT(fault("servers: [4], requests: 1" + reply), HasSubstr("traffic.servers: 4 is not a processor"));
  EXPECT_THAT(fault("servers: [1, 1], requests: 1" + reply), HasSubstr("processor 1 is listed twice"));
  EXPECT_THAT(fault("servers: [], requests: 1" + reply), HasSubstr("traffic.servers: the list is empty"));
  EXPECT_THAT(fault("servers: [1], clients: [1, 2], requests: 1" + reply), HasSubstr("processor 1 is a client and"));
  EXPECT_THAT(fault("servers: [0, 1, 2, 3], requests: 1" + reply), HasSubstr("traffic.clients: all processors are"));
  EXPECT_THAT(fault("servers: [0], requests: 1, server: {queue: 2}" + reply, "greedy"),
              HasSubstr("traffic.server.queue: greedy has no virtual channels"));
  EXPECT_THAT(fault("servers: [0], requests: 1, server: {replies: 2}" + reply, "greedy"),
              HasSubstr("traffic.server.replies: greedy has no virtual channels"));
  EXPECT_THAT(fault("servers: [0], outstanding: 1, requests: 1, reply: {flits: 1, service: 1, channels: 1}", "greedy"),
              HasSubstr("traffic.reply.channels: greedy has no virtual channels"));
  EXPECT_THAT(fault("servers: [0], outstanding: 1, requests: 1, reply: {flits: 1, service: 1, channels: 1}"),
              HasSubstr("replies have 1 channels (traffic.reply.channels), of 1 in total"));
  EXPECT_THAT(fault("servers: [0], outstanding: 1000000, requests: 1000000000" +
                    std::string(", reply: {flits: 1, service: 1}")),
              HasSubstr("traffic.requests: "));
}

}  // namespace
}  // namespace starloom

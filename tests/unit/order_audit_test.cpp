// SPDX-License-Identifier: Apache-2.0
/// \file The referee on messages that wait for others, with rows of a line of three nodes.
#include <gtest/gtest.h>

#include <starloom/referee/links/referee.hpp>
#include "support/networks.hpp"

namespace starloom::links {
namespace {

/// Message 0 goes from node 0 to node 2 and arrives in step 2; message 1 waits for it.
class OrderAudit : public testing::Test {
 protected:
  OrderAudit() : referee_(network_of(Grid::mesh({1, 3})).graph, RefereeRules{}) {}

  static void first_packet(Referee& referee) {
    referee.packets({{0, 2, 1, 0}});
    referee.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
    referee.rows(std::vector<TraceRow>{{1, TraceEvent::hop, 0, 0, 1, 1, 2}});
    referee.rows(std::vector<TraceRow>{{2, TraceEvent::eject, 0, 0, 2}});
  }
  void first_packet() { first_packet(referee_); }
  /// Packet `id` from node 2 to node 1, created in `step`.
  void send(PacketId id, Step step) {
    referee_.packets({{2, 1, 1, step}});
    referee_.rows(std::vector<TraceRow>{{step, TraceEvent::inject, id, 0, 2}, {step, TraceEvent::hop, id, 0, 2, 3, 1}});
  }
  std::string violation() const { return referee_.ok() ? "" : referee_.violation().text; }

  Referee referee_;
};

TEST_F(OrderAudit, AcceptsAMessageAfterTheOneItWaitsFor) {
  referee_.message(0, 1, {1});
  first_packet();
  referee_.message(1, 1, {});
  send(1, 3);
  EXPECT_EQ(violation(), "");
}

TEST_F(OrderAudit, RefusesAMessageInTheStepOfTheDelivery) {
  referee_.message(0, 1, {1});
  referee_.message(1, 1, {});
  referee_.packets({{0, 2, 1, 0}});
  referee_.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
  referee_.rows(std::vector<TraceRow>{{1, TraceEvent::hop, 0, 0, 1, 1, 2}});
  referee_.packets({{2, 1, 1, 2}});
  referee_.rows(std::vector<TraceRow>{
      {2, TraceEvent::inject, 1, 0, 2}, {2, TraceEvent::hop, 1, 0, 2, 3, 1}, {2, TraceEvent::eject, 0, 0, 2}});
  EXPECT_EQ(violation(),
            "step 2, node_r00_c02: packet 1, flit 0 is created, but waits for packet 0, which has not arrived");
}

TEST_F(OrderAudit, RefusesAMessageThatWasCreatedTooEarlyAndLeavesLater) {
  referee_.message(0, 1, {1});
  referee_.message(1, 1, {});
  first_packet();
  referee_.packets({{2, 1, 1, 2}});
  referee_.rows(std::vector<TraceRow>{{5, TraceEvent::inject, 1, 0, 2}, {5, TraceEvent::hop, 1, 0, 2, 3, 1}});
  EXPECT_EQ(violation(),
            "step 2, node_r00_c02: packet 1, flit 0 is created, but waits for packet 0, which arrives in step 2");
}

/// A record of a netrace file has the step of the delivery as that of its creation, and leaves later.
TEST_F(OrderAudit, KnowsTheStepsOfNetraceFiles) {
  RefereeRules rules;
  rules.of_netrace = true;
  const auto verdict = [&rules](Step created, Step left) {
    Referee referee(network_of(Grid::mesh({1, 3})).graph, rules);
    referee.message(0, 1, {1});
    referee.packets({{0, 2, 1, 0}});
    referee.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
    referee.rows(std::vector<TraceRow>{{1, TraceEvent::hop, 0, 0, 1, 1, 2}});
    referee.message(1, 1, {});
    // Numbers of records may have gaps.
    Packet second{2, 1, 1, created};
    second.number = 4;
    const std::vector<TraceRow> departure = {{left, TraceEvent::inject, 4, 0, 2},
                                             {left, TraceEvent::hop, 4, 0, 2, 3, 1}};
    const TraceRow arrival{2, TraceEvent::eject, 0, 0, 2};
    if (left == 2) {
      referee.packets({second});
      referee.rows(std::vector<TraceRow>{departure[0], departure[1], arrival});
    } else {
      referee.rows(std::vector<TraceRow>{arrival});
      referee.packets({second});
      referee.rows(departure);
    }
    return referee.ok() ? "" : referee.violation().text;
  };
  EXPECT_EQ(verdict(2, 3), "");
  EXPECT_EQ(verdict(5, 6), "");
  EXPECT_EQ(verdict(1, 3),
            "step 1, node_r00_c02: packet 4, flit 0 is created, but waits for packet 0, which arrives in step 2");
  EXPECT_EQ(verdict(2, 2),
            "step 2, node_r00_c02: packet 4, flit 0 is created, but waits for packet 0, which has not arrived");
}

/// A packet for its own processor has no rows; it arrives in the step of its creation or in the next one.
TEST_F(OrderAudit, KnowsPacketsOfNetraceFilesForTheirOwnProcessors) {
  for (const Step left : {2, 3}) {
    RefereeRules rules;
    rules.of_netrace = true;
    Referee referee(network_of(Grid::mesh({1, 3})).graph, rules);
    referee.message(0, 1, {1});
    referee.message(1, 1, {});
    referee.packets({{2, 2, 1, 2}, {2, 1, 1, 2}});
    referee.rows(std::vector<TraceRow>{{left, TraceEvent::inject, 1, 0, 2}, {left, TraceEvent::hop, 1, 0, 2, 3, 1}});
    EXPECT_EQ(referee.ok() ? "" : referee.violation().text,
              left == 3 ? ""
                        : "step 2, node_r00_c02: packet 1, flit 0 leaves in the step in which packet 0 arrives, for "
                          "which it waits");
    referee.rows(std::vector<TraceRow>{{left + 1, TraceEvent::eject, 1, 0, 1}});
    if (left == 2) continue;
    for (const Step delivered : {1, 2, 3, 4}) {
      Referee own(network_of(Grid::mesh({1, 3})).graph, rules);
      own.packets({{2, 2, 1, 2}});
      own.finish({delivered}, true);
      EXPECT_EQ(own.ok(), delivered == 2 || delivered == 3) << delivered;
    }
  }
}

TEST_F(OrderAudit, KnowsAGapAndANumberThatComesTwice) {
  const auto packet = [](PacketId number) {
    Packet made{0, 2, 1, 0};
    made.number = number;
    return made;
  };
  referee_.packets({packet(3), packet(1)});
  referee_.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 2, 0, 0}});
  EXPECT_EQ(violation(), "step 0, node_r00_c00: packet 2, flit 0 is unknown: its packet has 0 flits");
  Referee again(network_of(Grid::mesh({1, 3})).graph, RefereeRules{});
  again.packets({packet(3), packet(3)});
  EXPECT_EQ(again.violation().text, "step 0, node_r00_c00: packet 3, flit 0 is created twice");
}

TEST_F(OrderAudit, SeesThroughEvents) {
  for (const Step step : {3, 2}) {
    Referee referee(network_of(Grid::mesh({1, 3})).graph, RefereeRules{});
    referee.message(0, 1, {5});
    first_packet(referee);
    referee.message(5, 0, {6});
    referee.message(6, 0, {1});
    referee.message(1, 1, {});
    referee.packets({{2, 1, 1, step}});
    referee.rows(std::vector<TraceRow>{{3, TraceEvent::inject, 1, 0, 2}, {3, TraceEvent::hop, 1, 0, 2, 3, 1}});
    EXPECT_EQ(referee.ok(), step == 3);
  }
}

TEST_F(OrderAudit, WaitsForAllPacketsOfAMessage) {
  // The second packet of message 0 does not leave its processor.
  referee_.message(0, 2, {1});
  referee_.packets({{0, 2, 1, 0}, {0, 1, 1, 0}});
  referee_.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
  referee_.rows(std::vector<TraceRow>{{1, TraceEvent::hop, 0, 0, 1, 1, 2}});
  referee_.rows(std::vector<TraceRow>{{2, TraceEvent::eject, 0, 0, 2}});
  referee_.message(1, 1, {});
  send(2, 3);
  EXPECT_EQ(violation(),
            "step 3, node_r00_c02: packet 2, flit 0 is created, but waits for packet 1, which has not arrived");
}

TEST_F(OrderAudit, RefusesAMessageThatReleasesAnEarlierOne) {
  referee_.message(1, 1, {});
  referee_.message(0, 1, {1});
  referee_.packets({{0, 2, 1, 0}, {0, 2, 1, 0}});
  EXPECT_EQ(violation(), "step 0, node_r00_c00: packet 1, flit 0 is created after a message that waits for it");
}

TEST_F(OrderAudit, ChecksMessagesThatNeverLeft) {
  referee_.message(0, 1, {1});
  referee_.message(1, 1, {});
  first_packet();
  referee_.packets({{1, 1, 1, 1}});  // to its own node, where it has no rows
  EXPECT_EQ(violation(), "");
  referee_.finish({2, 1}, true);
  EXPECT_EQ(violation(),
            "step 1, node_r00_c01: packet 1, flit 0 is created, but waits for packet 0, which arrives in step 2");
}

// ---- Packets that have arrived are forgotten

TEST_F(OrderAudit, KnowsDeliveriesOfForgottenPackets) {
  for (const bool is_announced : {false, true}) {
    Referee referee(network_of(Grid::mesh({1, 3})).graph, RefereeRules{});
    referee.message(0, 1, {1});
    if (is_announced) referee.message(1, 1, {});
    first_packet(referee);
    if (is_announced) referee.packets({{2, 1, 1, 2}});
    referee.remove_before(1, {2, no_step});
    EXPECT_TRUE(referee.ok());
    if (!is_announced) referee.message(1, 1, {});
    if (!is_announced) referee.packets({{2, 1, 1, 2}});
    referee.rows(std::vector<TraceRow>{{3, TraceEvent::inject, 1, 0, 2}, {3, TraceEvent::hop, 1, 0, 2, 3, 1}});
    EXPECT_EQ(referee.violation().text,
              "step 2, node_r00_c02: packet 1, flit 0 is created, but waits for packet 0, which arrives in step 2");
  }
}

TEST_F(OrderAudit, SeesForgottenPacketsThroughEvents) {
  for (const int declared : {0, 1, 2})
    for (const Step step : {3, 2}) {
      Referee referee(network_of(Grid::mesh({1, 3})).graph, RefereeRules{});
      referee.message(0, 1, {5});
      first_packet(referee);
      if (declared == 0) referee.remove_before(1, {2});
      referee.message(5, 0, {1});
      if (declared == 1) referee.remove_before(1, {2});
      referee.message(1, 1, {});
      referee.packets({{2, 1, 1, step}});
      if (declared == 2) referee.remove_before(1, {2, no_step});
      referee.rows(std::vector<TraceRow>{{3, TraceEvent::inject, 1, 0, 2}, {3, TraceEvent::hop, 1, 0, 2, 3, 1}});
      EXPECT_EQ(referee.ok(), step == 3);
    }
}

TEST_F(OrderAudit, WaitsForTheRestOfAForgottenMessage) {
  referee_.message(0, 2, {1});
  referee_.packets({{0, 2, 1, 0}, {0, 1, 1, 0}});
  referee_.rows(std::vector<TraceRow>{{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
  referee_.rows(std::vector<TraceRow>{{1, TraceEvent::hop, 0, 0, 1, 1, 2}});
  referee_.rows(std::vector<TraceRow>{{2, TraceEvent::eject, 0, 0, 2}});
  referee_.remove_before(1, {2, no_step});
  referee_.message(1, 1, {});
  send(2, 3);
  EXPECT_EQ(violation(),
            "step 3, node_r00_c02: packet 2, flit 0 is created, but waits for packet 1, which has not arrived");
}

TEST_F(OrderAudit, ChecksMessagesThatNeverLeftBeforeTheyAreForgotten) {
  referee_.message(0, 1, {1});
  referee_.message(1, 1, {});
  first_packet();
  referee_.packets({{1, 1, 1, 1}});
  referee_.remove_before(2, {2, 1});
  EXPECT_EQ(violation(),
            "step 1, node_r00_c01: packet 1, flit 0 is created, but waits for packet 0, which arrives in step 2");
}

TEST_F(OrderAudit, RefusesPacketsOfNoMessage) {
  referee_.message(0, 1, {});
  referee_.packets({{0, 2, 1, 0}, {0, 2, 1, 0}});
  EXPECT_EQ(violation(), "step 0, node_r00_c00: packet 1, flit 0 is not a packet of a message");
}

}  // namespace
}  // namespace starloom::links

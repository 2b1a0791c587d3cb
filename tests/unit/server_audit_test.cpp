// SPDX-License-Identifier: Apache-2.0
/// \file The referee on clients and servers, with rows of a line of two or three nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include <starloom/referee/links/referee.hpp>
#include "support/networks.hpp"

namespace starloom::links {
namespace {

/// Node 1 serves nodes 0 and 2, which are one link away: a packet that leaves in step t arrives in step t + 1.
class ServerAudit : public testing::Test {
 protected:
  static constexpr Port east = 1, west = 3;

  static RefereeRules rules() {
    RefereeRules rules;
    RefereeRules::ClosedLoop loop;
    loop.servers = {1};
    loop.clients = {0, 2};
    loop.outstanding = 1;
    loop.requests = 2;
    loop.think = 2;
    loop.service = 3;
    rules.closed_loop = loop;
    return rules;
  }
  void begin(const RefereeRules& given) { referee_ = std::make_unique<Referee>(network(), given); }
  static NetworkGraph network() { return network_of(Grid::mesh({1, 3})).graph; }

  Packet request(NodeId client, Step step) const { return {client, 1, 1, step}; }
  Packet reply(NodeId client, Step step) const { return {1, client, 1, step, true}; }
  void announce(const std::vector<Packet>& packets) { referee_->packets(packets); }
  /// The rows of a step, in which packets leave or arrive.
  void rows(Step step, const std::vector<TraceRow>& of_step) {
    std::vector<TraceRow> sorted = of_step;
    for (TraceRow& row : sorted) row.step = step;
    std::sort(sorted.begin(), sorted.end());
    referee_->rows(sorted);
  }
  static std::vector<TraceRow> leaves(PacketId packet, NodeId from, NodeId to) {
    return {{0, TraceEvent::inject, packet, 0, from},
            {0, TraceEvent::hop, packet, 0, from, to > from ? east : west, to}};
  }
  static TraceRow arrives(PacketId packet, NodeId at) { return {0, TraceEvent::eject, packet, 0, at}; }
  static std::vector<TraceRow> together(std::vector<TraceRow> a, const std::vector<TraceRow>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  /// Both clients send a request, which arrive in step 1: the first is served until step 4, the second until step 7.
  void first_requests() {
    announce({request(0, 0), request(2, 0)});
    rows(0, together(leaves(0, 0, 1), leaves(1, 2, 1)));
    rows(1, {arrives(0, 1), arrives(1, 1)});
  }
  std::string violation() const { return referee_->ok() ? "" : referee_->violation().text; }

  std::unique_ptr<Referee> referee_ = std::make_unique<Referee>(network(), rules());
};

TEST_F(ServerAudit, AcceptsRequestsAndReplies) {
  first_requests();
  announce({reply(0, 4)});
  rows(4, leaves(2, 1, 0));
  rows(5, {arrives(2, 0)});
  announce({request(0, 7), reply(2, 7)});
  rows(7, together(leaves(3, 0, 1), leaves(4, 1, 2)));
  rows(8, {arrives(3, 1), arrives(4, 2)});
  EXPECT_EQ(violation(), "");
}

TEST_F(ServerAudit, RefusesARequestBeforeItsTime) {
  first_requests();
  announce({reply(0, 4)});
  rows(4, leaves(2, 1, 0));
  rows(5, {arrives(2, 0)});
  announce({request(0, 6)});
  rows(6, leaves(3, 0, 1));
  EXPECT_EQ(violation(), "step 6, node_r00_c00: packet 3, flit 0 is request 1 of its node, which is due in step 7");
}

TEST_F(ServerAudit, RefusesMoreRequestsThanAreOutstanding) {
  announce({request(0, 0), request(0, 0)});
  rows(0, leaves(0, 0, 1));
  rows(1, leaves(1, 0, 1));
  EXPECT_EQ(violation(), "step 0, node_r00_c00: packet 1, flit 0 is request 1 of its node, which is due later");
}

TEST_F(ServerAudit, RefusesARequestToAnotherNode) {
  announce({{0, 2, 1, 0}});
  rows(0, leaves(0, 0, 1));
  EXPECT_EQ(violation(),
            "step 0, node_r00_c00: packet 0, flit 0 is a request to node_r00_c02, which is not another server");
}

TEST_F(ServerAudit, RefusesAReplyBeforeItsService) {
  first_requests();
  announce({reply(0, 3)});
  rows(3, leaves(2, 1, 0));
  EXPECT_EQ(violation(), "step 3, node_r00_c01: packet 2, flit 0 is reply 0 of its node, which is due later");
}

TEST_F(ServerAudit, RefusesALateReply) {
  first_requests();
  announce({reply(0, 5)});
  rows(5, leaves(2, 1, 0));
  EXPECT_EQ(violation(), "step 5, node_r00_c01: packet 2, flit 0 is reply 0 of its node, which is due in step 4");
}

TEST_F(ServerAudit, RefusesTheWrongOrderOfService) {
  first_requests();
  announce({reply(2, 4)});
  rows(4, leaves(2, 1, 2));
  EXPECT_EQ(violation(),
            "step 4, node_r00_c01: packet 2, flit 0 goes to node_r00_c02, but the request that is served came from "
            "node_r00_c00");
}

TEST_F(ServerAudit, RefusesAReplyOfAnotherLength) {
  first_requests();
  announce({{1, 0, 2, 4, true}});
  rows(4, leaves(2, 1, 0));
  EXPECT_NE(violation(), "");
}

TEST_F(ServerAudit, ServesTwoRequestsTogetherWithTwoWays) {
  RefereeRules two = rules();
  two.closed_loop->ways = 2;
  begin(two);
  first_requests();
  announce({reply(0, 4), reply(2, 4)});
  rows(4, together(leaves(2, 1, 0), leaves(3, 1, 2)));
  EXPECT_EQ(violation(), "");
  begin(rules());
  first_requests();
  announce({reply(0, 4), reply(2, 4)});
  rows(4, together(leaves(2, 1, 0), leaves(3, 1, 2)));
  EXPECT_EQ(violation(), "step 4, node_r00_c01: packet 3, flit 0 is reply 1 of its node, which is due later");
}

/// A reply waits until the one before has left: in step 9, so that the second is created in step 10.
TEST_F(ServerAudit, KnowsHowManyRepliesWait) {
  RefereeRules one = rules();
  one.closed_loop->unsent = 1;
  for (const Step created : {7, 10}) {
    begin(one);
    first_requests();
    announce({reply(0, 4)});
    if (created == 7) announce({reply(2, created)});  // as verify, which knows all packets
    rows(9, leaves(2, 1, 0));
    if (created == 10) announce({reply(2, created)});
    rows(11, leaves(3, 1, 2));
    EXPECT_EQ(violation(), created == 10 ? ""
                                         : "step 7, node_r00_c01: packet 3, flit 0 is reply 1 of its node, which is "
                                           "due in step 10");
  }
}

TEST_F(ServerAudit, RefusesARequestWithoutRoom) {
  RefereeRules one = rules();
  one.closed_loop->queue = 1;
  begin(one);
  first_requests();
  EXPECT_EQ(
      violation(),
      "step 1, node_r00_c01: packet 1, flit 0 is consumed although 1 requests there have no reply, and 1 have room");
}

TEST_F(ServerAudit, RefusesAMissingReply) {
  RefereeRules brief = rules();
  brief.closed_loop->service = 1;
  begin(brief);
  first_requests();
  announce({reply(0, 2)});
  rows(5, leaves(2, 1, 0));
  rows(6, {arrives(2, 0)});
  EXPECT_EQ(violation(), "");
  referee_->finish({1, 1, 6}, false);
  EXPECT_EQ(violation(), "step 3, node_r00_c01: creates no reply to node_r00_c02, although one is due");
}

/// The run may end after step 1, or before step 4, in which the first reply is due.
TEST_F(ServerAudit, AcceptsTheEndOfARunBeforeAReplyIsDue) {
  for (const Step last : {1, 3}) {
    begin(rules());
    announce({request(0, 0), request(2, 0)});
    rows(0, leaves(0, 0, 1));
    rows(1, {arrives(0, 1)});
    if (last == 3) rows(3, leaves(1, 2, 1));
    referee_->finish({1, no_step}, false);
    EXPECT_EQ(violation(), "");
  }
}

TEST_F(ServerAudit, RefusesAMissingRequest) {
  announce({request(0, 0)});
  rows(0, leaves(0, 0, 1));
  rows(1, {arrives(0, 1)});
  EXPECT_EQ(violation(), "");
  referee_->finish({1}, false);
  EXPECT_EQ(violation(), "step 0, node_r00_c02: creates no request, although one is due");
}

}  // namespace
}  // namespace starloom::links

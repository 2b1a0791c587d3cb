// SPDX-License-Identifier: Apache-2.0
/// \file Packets of which all attempts together are one, and the fastest paths of their acknowledgements.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <starloom/core/links/attempts.hpp>
#include <starloom/topology/least_latencies.hpp>
#include <starloom/topology/link_changes.hpp>
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

constexpr Loss corrupt_in_8{LossCause::corrupt, 8}, cut_in_30{LossCause::cut, 30};

/// Packets 0 to 4, of which 2 and 4 are attempts of packet 0. A packet has four attempts at most.
struct Fates {
  Attempts attempts{4};
  std::vector<Packet> packets{5, Packet{0, 1, 2}};
  std::vector<Step> delivered{no_step, 12, no_step, no_step, no_step}, injected{0, 2, 20, 40, 60};
  Losses lost;

  Fates() {
    attempts.add(2, 0);
    attempts.add(4, 0);
  }
  Attempts::Fate fate() const { return attempts.fate_of(0, delivered, injected, lost); }
};

TEST(Attempts, KnowTheirFirstOne) {
  const Attempts attempts = Fates().attempts;
  EXPECT_EQ(attempts.first_of(4), 0);
  EXPECT_EQ(attempts.first_of(1), 1);
  EXPECT_EQ(attempts.last_of(0), 4);
  EXPECT_EQ(attempts.last_of(1), 1);
  EXPECT_TRUE(attempts.is_later(2));
  EXPECT_FALSE(attempts.is_later(0));
  EXPECT_FALSE(attempts.are_used_up(0));
  EXPECT_TRUE(Attempts(1).are_used_up(0));
}

TEST(Attempts, AreDeliveredWithTheFirstThatArrives) {
  Fates fates;
  EXPECT_EQ(fates.fate().arrived, no_packet);
  fates.delivered[0] = 70;
  fates.delivered[2] = 71;
  EXPECT_EQ(fates.fate().arrived, 0);
  EXPECT_EQ(fates.fate().duplicates, 1);
  fates.delivered[4] = 69;
  EXPECT_EQ(fates.fate().arrived, 4);
  EXPECT_EQ(fates.fate().duplicates, 2);
  fates.delivered[2] = no_step;
  fates.lost[2] = corrupt_in_8;
  EXPECT_EQ(fates.fate().duplicates, 1);
  EXPECT_FALSE(fates.fate().lost);
}

TEST(Attempts, AreLostIfNoneFollows) {
  Fates fates;
  fates.lost = {{0, corrupt_in_8}, {2, corrupt_in_8}};
  EXPECT_FALSE(fates.fate().lost) << "the last attempt is under way";
  fates.lost[4] = cut_in_30;
  EXPECT_FALSE(fates.fate().lost) << "the fourth attempt follows";
  fates.injected[4] = no_step;
  EXPECT_EQ(fates.fate().lost, cut_in_30) << "the last attempt was never sent";
  fates.injected[4] = 60;
  fates.attempts.add(5, 0);
  fates.delivered.push_back(no_step);
  fates.injected.push_back(80);
  fates.lost[5] = corrupt_in_8;
  EXPECT_EQ(fates.fate().lost, corrupt_in_8) << "it has had four attempts";
}

TEST(Attempts, AreCountedAsOnePacket) {
  Fates fates;
  RunRecord record;
  record.packets = fates.packets;
  record.delivered = {no_step, 12, 33, no_step, 66};
  record.injected = fates.injected;
  record.hops = {1, 2, 3, 4, 5};
  record.lost = {{0, corrupt_in_8}, {3, cut_in_30}};
  record.lost_count = 2;
  record.delivered_count = 3;
  const RunRecord of_packets = of_first_attempts(record, fates.attempts);
  EXPECT_EQ(of_packets.created_count(), 3);
  EXPECT_EQ(of_packets.delivered, (std::vector<Step>{33, 12, no_step, no_step, no_step}));
  EXPECT_EQ(of_packets.delivered_count, 2);
  EXPECT_EQ(of_packets.hops[0], 3);
  EXPECT_TRUE(of_packets.lost.empty()) << "packet 3 has further attempts";
  EXPECT_EQ(of_packets.left_count(), 1);
  EXPECT_EQ(of_packets.duplicates, 1);
  EXPECT_FALSE(of_packets.packets[2].exists());
  for (const PacketId packet : {0, 1, 2, 3, 4}) EXPECT_EQ(is_left(packet, record, &fates.attempts), packet == 3);
  record.injected[3] = no_step;
  const RunRecord unsent = of_first_attempts(record, fates.attempts);
  EXPECT_EQ(unsent.lost_by_cause[static_cast<std::size_t>(LossCause::cut)], 1);
  EXPECT_EQ(unsent.left_count(), 0);
}

/// By relaxing all links until no sum changes.
Step least_latency(const NetworkGraph& graph, NodeId from, NodeId to) {
  constexpr Step far = 1'000'000;
  std::vector<Step> steps(static_cast<std::size_t>(graph.nodes()), far);
  const auto relax = [&](NodeId node, Step after) {
    bool changed = false;
    for (const Port port : graph.out_ports(node)) {
      Step& step = steps[static_cast<std::size_t>(graph.far_end(node, port).node)];
      changed = changed || after + graph.latency(node, port) < step;
      step = std::min(step, after + graph.latency(node, port));
    }
    return changed;
  };
  relax(from, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (steps[static_cast<std::size_t>(node)] < far && !graph.is_host(node))
        changed = relax(node, steps[static_cast<std::size_t>(node)]) || changed;
  }
  if (from == to && !graph.is_terminal(from)) return 0;
  return steps[static_cast<std::size_t>(to)];
}

TEST(LeastLatencies, AreThoseOfTheFastestPaths) {
  const LinkNetwork slow = with_link_changes(link_network(Grid::mesh({3, 4}), 2),
                                             {{"link_r01_*", 9}, {"*_east", 5}, {"link_r00_c02_south", 1}});
  const LinkNetwork terminals = with_link_changes(concentrated_mesh({2, 2}, 2), {{"link_switch_r00_*", 7}});
  for (const LinkNetwork* const network : {&slow, &terminals}) {
    LeastLatencies latencies(network->graph);
    for (NodeId from = 0; from < network->graph.nodes(); ++from)
      for (NodeId to = 0; to < network->graph.nodes(); ++to)
        EXPECT_EQ(latencies.between(from, to), least_latency(network->graph, from, to)) << from << " to " << to;
  }
}

}  // namespace
}  // namespace starloom::links

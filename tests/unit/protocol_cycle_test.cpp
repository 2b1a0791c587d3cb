// SPDX-License-Identifier: Apache-2.0
/// \file Cycles of requests and replies: which classes of traffic can wait for each other, and that runs only deadlock
/// where they can.
#include <gtest/gtest.h>

#include <starloom/analysis/links/protocol_cycle.hpp>
#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/core/random.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/fresh_context.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"

namespace starloom::links {
namespace {

TrafficClass in_channels(int first, int last) {
  TrafficClass made{"c" + std::to_string(first), routing::ChannelRange{first, last - first + 1}};
  return made;
}
TrafficClass asks(TrafficClass of_traffic, int reply, std::int32_t places = 1) {
  of_traffic.reply = ReplyRules{1, 1, 0, reply, places};
  return of_traffic;
}
/// The class of the requests in a cycle whose requests all have places, or -1.
int limited(const std::vector<TrafficClass>& classes) {
  const auto found = protocol_cycle(classes, 4);
  return found && found->limited ? found->requests : -1;
}

TEST(ProtocolCycle, NeedsRepliesBehindRequests) {
  EXPECT_FALSE(protocol_cycle({}, 4));
  EXPECT_FALSE(protocol_cycle({in_channels(0, 3), in_channels(0, 3)}, 4));
  EXPECT_EQ(limited({asks(in_channels(0, 1), 1), in_channels(2, 3)}), -1);
  EXPECT_EQ(limited({asks(in_channels(0, 2), 1), in_channels(2, 3)}), 0);
  EXPECT_EQ(limited({in_channels(2, 3), asks(in_channels(0, 2), 0)}), 1);
  EXPECT_EQ(limited({asks({"all"}, 1), {"others"}}), 0) << "all channels";
  EXPECT_EQ(limited({asks({"all"}, 0)}), 0) << "replies of the same class";
}

TEST(ProtocolCycle, LeadsThroughOtherClasses) {
  // Replies wait behind packets of class 2, and these behind requests.
  EXPECT_EQ(limited({asks(in_channels(0, 1), 1), in_channels(2, 3), in_channels(1, 2)}), 0);
  // Requests of class 2 wait for replies of class 3, which share channels with those of class 0.
  const TrafficClass first = asks(in_channels(0, 0), 1), of_first = in_channels(1, 1);
  EXPECT_EQ(limited({first, of_first, asks(in_channels(1, 1), 3), in_channels(0, 0)}), 0);
  EXPECT_EQ(limited({first, of_first, asks(in_channels(1, 1), 3, 0), in_channels(0, 0)}), -1)
      << "processors accept all requests of class 2";
  EXPECT_EQ(limited({first, of_first, asks(in_channels(2, 2), 3), in_channels(0, 0)}), -1);
}

TEST(ProtocolCycle, StaysInASubnet) {
  const auto in_subnet = [](TrafficClass of_traffic, std::optional<int> subnet) {
    of_traffic.subnet = subnet;
    return of_traffic;
  };
  const TrafficClass requests = asks({"all"}, 1), replies{"others"};
  EXPECT_EQ(limited({requests, in_subnet(replies, 1)}), -1);
  EXPECT_EQ(limited({in_subnet(requests, 1), in_subnet(replies, 1)}), 0);
  EXPECT_EQ(limited({requests, in_subnet(replies, std::nullopt)}), 0);
  EXPECT_EQ(limited({in_subnet(requests, std::nullopt), in_subnet(replies, 1)}), 0);
  // Over packets of class 2, which are in both subnets.
  EXPECT_EQ(limited({requests, in_subnet(replies, 1), in_subnet({"more"}, std::nullopt)}), 0);
}

TEST(ProtocolCycle, ReportsRequestsWithoutALimitIfNoOthersWait) {
  const auto unlimited = protocol_cycle({asks({"all"}, 0, 0)}, 4);
  ASSERT_TRUE(unlimited);
  EXPECT_FALSE(unlimited->limited);
  const auto both = protocol_cycle({asks({"all"}, 0, 0), asks({"more"}, 0, 1)}, 4);
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->limited);
  EXPECT_EQ(both->requests, 1);
}

/// On a mesh the paths of packets close no cycle, so only protocols do.
TEST(ProtocolCycle, RunsDeadlockOnlyWithOne) {
  int deadlocks = 0, sound = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, Purpose::algorithm, 0, 0);
    const auto below = [&](int n) { return static_cast<int>(random.bounded(static_cast<std::uint32_t>(n))); };
    std::vector<TrafficClass> classes;
    for (int number = 0; number < 4; ++number) {
      const int first = below(4);
      TrafficClass of_traffic = in_channels(first, std::min(first + below(2), 3));
      if (number < 2) of_traffic = asks(std::move(of_traffic), 2 + number, 1 + below(2));
      classes.push_back(std::move(of_traffic));
    }
    std::vector<Packet> packets;
    for (NodeId node = 0; node < 9; ++node)
      for (int k = 0; k < 20; ++k) packets.push_back(packet_of_class(below(2), node, below(9), 1 + below(3), 0));
    const LinkNetwork& network = network_of(Grid::mesh({3, 3}));
    AlgorithmContext context{&network, 1};
    context.classes = classes;
    const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context,
                                          {{"channels", std::int64_t{4}}, {"buffer", std::int64_t{1}}});
    fresh_context();
    PacketList traffic(std::move(packets));
    SimulationSetup setup;
    setup.network = &network;
    setup.algorithm = algorithm.get();
    setup.traffic = &traffic;
    const Outcome outcome = simulate(setup).outcome;
    const auto found = protocol_cycle(classes, 4);
    if (!found || !found->limited) {
      EXPECT_EQ(outcome, Outcome::completed) << "seed " << seed;
      ++sound;
    } else if (outcome == Outcome::deadlock) {
      ++deadlocks;
    }
  }
  EXPECT_GT(sound, 10);
  EXPECT_GT(deadlocks, 10);
}

}  // namespace
}  // namespace starloom::links

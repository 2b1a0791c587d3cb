// SPDX-License-Identifier: Apache-2.0
// The packets of a run: as a list, and as the destinations of a full permutation.
#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/algorithms/pops/permutation.hpp>
#include <starloom/algorithms/randomized/randomized_algorithm.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/traffic/packet_list.hpp>

namespace starloom {
namespace {

void expect_equal_packets(const Packet& a, const Packet& b) {
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.destination, b.destination);
  EXPECT_EQ(a.flits, b.flits);
  EXPECT_EQ(a.created, b.created);
  EXPECT_EQ(a.reply, b.reply);
}

TEST(Packets, OfDestinationsAreThoseOfTheList) {
  const Packets few = Packets::one_each({2, 0, 1});
  const std::vector<Packet> list = {{0, 2, 1, 0}, {1, 0, 1, 0}, {2, 1, 1, 0}};
  ASSERT_EQ(few.size(), list.size());
  for (std::size_t p = 0; p < list.size(); ++p) expect_equal_packets(few[p], list[p]);
  ASSERT_EQ(few.list().size(), list.size());
  for (std::size_t p = 0; p < list.size(); ++p) expect_equal_packets(few.list()[p], list[p]);
  EXPECT_EQ(Packets(list).destinations(), nullptr);
  EXPECT_TRUE(Packets().empty());
}

TEST(Packets, CopiesShareThem) {
  const Packets packets = Packets::one_each({1, 0});
  const Packets copy = packets;
  EXPECT_EQ(copy.destinations(), packets.destinations());
}

TEST(Packets, PlacesAreForSearches) {
  const Packets packets(std::vector<Packet>{{0, 1, 1, 0}, {0, 1, 1, 4}, {1, 0, 1, 4}, {1, 0, 1, 9}});
  const auto from = std::lower_bound(packets.begin(), packets.end(), Step{4},
                                     [](const Packet& packet, Step step) { return packet.created < step; });
  EXPECT_EQ(from - packets.begin(), 1);
  EXPECT_EQ((*from).created, 4);
}

TEST(Packets, FullPermutationsOfSingleFlitsAreNotListed) {
  const PacketLengths one(1), two(2);
  const auto kept = [](const Destinations& to, const PacketLengths& lengths) {
    const PacketList traffic(packets_of(to, lengths, 1));
    return traffic.packets()->destinations() != nullptr;
  };
  EXPECT_TRUE(kept({1, 0}, one));
  EXPECT_FALSE(kept({1, 0}, two));
  EXPECT_FALSE(kept({1, no_node}, one));
  EXPECT_FALSE(kept({1, 0}, PacketLengths::uniform(1, 2)));
}

TEST(Packets, TrafficOfDestinationsCreatesThemAtOnce) {
  PacketList traffic(Packets::one_each({1, 0}));
  EXPECT_EQ(traffic.end(), 1);
  EXPECT_EQ(traffic.next_creation(0), 0);
  EXPECT_EQ(traffic.next_creation(1), no_step);
  std::vector<Packet> created;
  traffic.generate(0, 1, created);
  ASSERT_EQ(created.size(), 2u);
  expect_equal_packets(created[1], {1, 0, 1, 0});
  traffic.generate(1, 9, created);
  EXPECT_EQ(created.size(), 2u);
}

TEST(Packets, AlgorithmsOfPopsNetworksShareTheDestinations) {
  const Packets packets = Packets::one_each({1, 0, 3, 2});
  const pops::RandomizedAlgorithm algorithm(pops::AlgorithmContext{Pops(2, 2), 1, packets, {}});
  EXPECT_EQ(&algorithm.destination(), packets.destinations().get());
  EXPECT_THROW(pops::RandomizedAlgorithm(pops::AlgorithmContext{Pops(2, 2), 1, Packets::one_each({1, 1, 3, 2}), {}}),
               pops::UnservedPackets);
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// \file The packets of several classes of traffic (docs/traffic-classes.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include <starloom/core/random.hpp>
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

constexpr NodeId nodes = 16;

/// A pattern with its keys, as an experiment gives it to a class.
ClassPattern of_class(const std::string& name, const std::string& pattern, std::map<std::string, KeyValue> keys) {
  const PatternEntry* const entry = find_pattern(pattern);
  return {name, entry, checked_values(entry->keys, std::move(keys), pattern)};
}

std::unique_ptr<Traffic> traffic_of(std::vector<ClassPattern> classes) {
  const PatternEntry* const entry = find_pattern("classes");
  TrafficContext context;
  context.processors = processors_of(network_of(Grid::mesh({4, 4})));
  context.seed = 5;
  context.classes = std::move(classes);
  return entry->make(context, checked_values(entry->keys, {{"classes", std::string("*")}}, "classes"));
}

/// Class c draws its words from index 65536 c on; the packets of a step and source come class by class.
TEST(ClassTraffic, ClassesDrawWordsOfTheirOwn) {
  const auto traffic =
      traffic_of({of_class("a", "uniform", {{"rate", 0.3}, {"flits", std::int64_t{2}}}),
                  of_class("b", "uniform", {{"rate", 0.2}}), of_class("c", "transpose", {{"rate", 0.1}})});
  const double probabilities[] = {0.15, 0.2, 0.1};
  std::vector<Packet> expected;
  for (Step step = 0; step < 300; ++step)
    for (NodeId node = 0; node < nodes; ++node)
      for (std::uint32_t number = 0; number < 3; ++number) {
        const std::uint32_t first = 65536 * number;
        const bool creates =
            random_word(5, Purpose::injection, node, step, first) < bernoulli_threshold(probabilities[number]);
        const auto drawn = static_cast<NodeId>(RandomStream(5, Purpose::destination, node, step, first).bounded(nodes));
        const NodeId destination = number == 2 ? node % 4 * 4 + node / 4 : drawn;
        if (!creates) continue;
        expected.push_back({node, destination, number == 0 ? 2 : 1, step});
        expected.back().traffic_class = static_cast<std::uint8_t>(number);
      }
  for (const Step cut : {1, 7, 300}) {
    const std::vector<Packet> packets = packets_until(*traffic, 300, cut);
    ASSERT_EQ(packets, expected) << "cut " << cut;
    for (std::size_t i = 0; i < packets.size(); ++i) ASSERT_EQ(packets[i].traffic_class, expected[i].traffic_class);
  }
  EXPECT_EQ(traffic->end(), std::nullopt);
  EXPECT_TRUE(traffic->open_loop());
  EXPECT_EQ(traffic->next_creation(17), 17);
}

/// A class that has only replies keeps its number, and the words of the classes behind it.
TEST(ClassTraffic, AClassOfRepliesDrawsNoWords) {
  const ClassPattern a = of_class("a", "uniform", {{"rate", 0.3}}), b = of_class("b", "uniform", {{"rate", 0.1}});
  const auto of_class_2 = [](const std::vector<Packet>& packets) {
    std::vector<Packet> chosen;
    std::copy_if(packets.begin(), packets.end(), std::back_inserter(chosen),
                 [](const Packet& packet) { return packet.traffic_class == 2; });
    return chosen;
  };
  const std::vector<Packet> packets = packets_until(*traffic_of({a, {"replies"}, b}), 200, 7);
  EXPECT_GT(of_class_2(packets).size(), 0u);
  EXPECT_EQ(of_class_2(packets), of_class_2(packets_until(*traffic_of({a, a, b}), 200, 7)));
  EXPECT_TRUE(std::none_of(packets.begin(), packets.end(), [](const Packet& p) { return p.traffic_class == 1; }));
  const auto lists = traffic_of({{"replies"}, of_class("b", "reversal", {})});
  ASSERT_NE(lists->packets(), nullptr);
  EXPECT_EQ(lists->packets()->size(), 16u);
}

TEST(ClassTraffic, SharesOfHotSpotsAreDrawnByClass) {
  const std::map<std::string, KeyValue> once = {{"targets", std::vector<std::int64_t>{1}}, {"share", 0.5}};
  std::map<std::string, KeyValue> keys = once;
  keys["rate"] = 1.0;
  for (const auto& of_node : {once, keys}) {
    const auto traffic = traffic_of({of_class("a", "hot-spot", of_node), of_class("b", "hot-spot", of_node)});
    const std::vector<Packet> packets = packets_until(*traffic, 1, 1);
    ASSERT_EQ(packets.size(), 2u * nodes);
    for (const Packet& packet : packets) {
      const std::uint32_t first = 65536u * packet.traffic_class;
      const bool to_target = random_word(5, Purpose::destination, packet.source, 0, first) < 1u << 31;
      const auto uniform =
          static_cast<NodeId>(RandomStream(5, Purpose::destination, packet.source, 0, first + 1).bounded(nodes));
      ASSERT_EQ(packet.destination, to_target ? 1 : uniform);
    }
  }
}

TEST(ClassTraffic, LengthsAndStatesAreDrawnByClass) {
  const std::map<std::string, KeyValue> keys = {{"rate", 0.2},
                                                {"flits.uniform", std::vector<std::int64_t>{1, 9}},
                                                {"injection.on_off.on", 5.0},
                                                {"injection.on_off.off", 5.0}};
  const auto traffic = traffic_of({of_class("a", "uniform", keys), of_class("b", "uniform", keys)});
  const auto of_number = [&](int number) {
    std::vector<std::tuple<Step, NodeId, std::int32_t>> packets;
    for (const Packet& packet : packets_until(*traffic, 500, 500))
      if (packet.traffic_class == number) packets.emplace_back(packet.created, packet.source, packet.flits);
    return packets;
  };
  EXPECT_GT(of_number(0).size(), 100u);
  EXPECT_GT(of_number(1).size(), 100u);
  EXPECT_NE(of_number(0), of_number(1));
  constexpr std::uint32_t first_of_length = 3;
  for (const std::uint32_t number : {0u, 1u})
    for (const auto& [created, source, flits] : of_number(static_cast<int>(number))) {
      RandomStream words(5, Purpose::injection, source, created, 65536 * number + first_of_length);
      ASSERT_EQ(flits, 1 + static_cast<std::int32_t>(words.bounded(9)));
    }
}

TEST(ClassTraffic, WithoutRatesIsAList) {
  const auto traffic =
      traffic_of({of_class("a", "transpose", {}), of_class("b", "reversal", {{"flits", std::int64_t{3}}})});
  ASSERT_NE(traffic->packets(), nullptr);
  const std::vector<Packet> packets = packets_until(*traffic, 1, 1);
  ASSERT_EQ(packets.size(), 2u * nodes);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    EXPECT_EQ(packets[i].source, static_cast<NodeId>(i / 2));
    EXPECT_EQ(packets[i].traffic_class, i % 2);
    EXPECT_EQ(packets[i].flits, i % 2 == 0 ? 1 : 3);
  }
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
// Open loop: the specified random words, with any interval, and the phases.
#include <starloom/core/random.hpp>

#include <algorithm>

#include <starloom/support/error.hpp>
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Keys = std::map<std::string, KeyValue>;

Keys uniform_keys(double rate, std::int64_t flits = 1) { return {{"rate", rate}, {"flits", flits}}; }

/// The definition, word by word.
std::vector<Packet> defined_uniform(std::uint64_t seed, NodeId nodes, double rate, std::int32_t flits, Step to) {
  std::vector<Packet> packets;
  for (Step t = 0; t < to; ++t)
    for (NodeId v = 0; v < nodes; ++v)
      if (RandomStream(seed, Purpose::injection, v, t).bernoulli(rate / flits)) {
        const auto to_node = RandomStream(seed, Purpose::destination, v, t).bounded(static_cast<std::uint32_t>(nodes));
        packets.push_back({v, static_cast<NodeId>(to_node), flits, t});
      }
  return packets;
}

// From an independent implementation of Philox and of the random choices in another language.
TEST(OpenLoop, UniformKnownAnswer) {
  const auto traffic = make_traffic("uniform", Grid::mesh({3, 3}), uniform_keys(0.25), 5);
  EXPECT_EQ(packets_until(*traffic, 4, 4), (std::vector<Packet>{{7, 7, 1, 0},
                                                                {8, 4, 1, 0},
                                                                {0, 6, 1, 1},
                                                                {2, 4, 1, 1},
                                                                {3, 6, 1, 1},
                                                                {4, 2, 1, 1},
                                                                {6, 2, 1, 1},
                                                                {8, 2, 1, 1},
                                                                {8, 8, 1, 2},
                                                                {3, 1, 1, 3},
                                                                {4, 0, 1, 3}}));
}

TEST(OpenLoop, TornadoKnownAnswer) {
  const auto traffic = make_traffic("tornado", Grid::mesh({1, 5}), uniform_keys(0.1, 2), 5);
  EXPECT_EQ(packets_until(*traffic, 20, 20), (std::vector<Packet>{{0, 2, 2, 1},
                                                                  {0, 2, 2, 4},
                                                                  {3, 0, 2, 5},
                                                                  {4, 1, 2, 7},
                                                                  {4, 1, 2, 10},
                                                                  {2, 4, 2, 14},
                                                                  {2, 4, 2, 17},
                                                                  {4, 1, 2, 17}}));
}

// Sizes around the block of 4 words and the chunk of 256; rates on both sides of the change to whole chunks of words.
TEST(OpenLoop, UniformIsTheDefinition) {
  for (const std::int64_t n : {1, 3, 4, 255, 256, 257, 330})
    for (const double rate : {0.01, 0.2, 0.9, 1.0}) {
      const auto traffic = make_traffic("uniform", Grid::mesh({1, n}), uniform_keys(rate), 11);
      ASSERT_EQ(packets_until(*traffic, 30, 30), defined_uniform(11, static_cast<NodeId>(n), rate, 1, 30))
          << n << " " << rate;
    }
}

// A large network meets words that Lemire's method looks at twice.
TEST(OpenLoop, UniformIsTheDefinitionOnALargeNetwork) {
  const auto traffic = make_traffic("uniform", Grid::mesh({180, 180}), uniform_keys(4.0, 4), 2);
  EXPECT_EQ(packets_until(*traffic, 40, 40), defined_uniform(2, 32400, 4.0, 4, 40));
}

// One of the other nodes, by its number among them.
TEST(OpenLoop, UniformWithoutSelfIsTheDefinition) {
  for (const NodeId n : {2, 5, 64, 257})
    for (const double rate : {0.02, 0.9}) {
      Keys keys = uniform_keys(rate);
      keys["self"] = false;
      std::vector<Packet> expected;
      for (Step t = 0; t < 40; ++t)
        for (NodeId v = 0; v < n; ++v) {
          if (!RandomStream(11, Purpose::injection, v, t).bernoulli(rate)) continue;
          auto others = static_cast<NodeId>(
              RandomStream(11, Purpose::destination, v, t).bounded(static_cast<std::uint32_t>(n - 1)));
          if (others >= v) ++others;
          expected.push_back({v, others, 1, t});
        }
      const std::vector<Packet> found = packets_until(*make_traffic("uniform", Grid::mesh({1, n}), keys, 11), 40, 40);
      ASSERT_EQ(found, expected) << n << " " << rate;
      std::vector<int> count(static_cast<std::size_t>(n), 0);
      for (const Packet& packet : found) {
        ASSERT_NE(packet.source, packet.destination);
        ++count[static_cast<std::size_t>(packet.destination)];
      }
      if (n == 5 && rate > 0.5) {
        EXPECT_GT(*std::min_element(count.begin(), count.end()), 15);
      }
    }
  Keys keys = uniform_keys(0.5);
  keys["self"] = true;
  EXPECT_EQ(packets_until(*make_traffic("uniform", Grid::mesh({1, 7}), keys, 3), 40, 40),
            defined_uniform(3, 7, 0.5, 1, 40));
  keys["self"] = false;
  EXPECT_THROW(make_traffic("uniform", Grid::mesh({1, 1}), keys, 3), InputError);
}

// The first word decides between the target of the node and a uniform destination, which the next words give.
TEST(OpenLoop, AShareOfHotSpotsIsTheDefinition) {
  const std::vector<std::int64_t> targets = {3, 0, 3};
  for (const NodeId n : {4, 70})
    for (const double share : {0.0, 0.3, 1.0}) {
      Keys keys = uniform_keys(0.4, 2);
      keys["targets"] = targets;
      keys["share"] = share;
      std::vector<Packet> expected;
      for (Step t = 0; t < 60; ++t)
        for (NodeId v = 0; v < n; ++v) {
          if (!RandomStream(7, Purpose::injection, v, t).bernoulli(0.2)) continue;
          const double coin = std::ldexp(random_word(7, Purpose::destination, v, t, 0), -32);
          const auto uniform = RandomStream(7, Purpose::destination, v, t, 1).bounded(static_cast<std::uint32_t>(n));
          const std::int64_t target = targets[static_cast<std::size_t>(v) % targets.size()];
          expected.push_back({v, static_cast<NodeId>(coin < share ? target : uniform), 2, t});
        }
      const auto traffic = make_traffic("hot-spot", Grid::mesh({1, n}), keys, 7);
      ASSERT_EQ(packets_until(*traffic, 60, 60), expected) << n << " nodes, share " << share;
      // Without a rate each node sends one packet, as one that is created in step 0.
      keys.erase("rate");
      const std::vector<Packet> once = packets_until(*make_traffic("hot-spot", Grid::mesh({1, n}), keys, 7), 1, 1);
      ASSERT_EQ(once.size(), static_cast<std::size_t>(n));
      for (const Packet& packet : expected)
        if (packet.created == 0) {
          ASSERT_EQ(once[static_cast<std::size_t>(packet.source)].destination, packet.destination);
        }
    }
}

TEST(OpenLoop, DoesNotDependOnTheCut) {
  for (const char* pattern : {"uniform", "tornado", "random-permutation", "random-function"}) {
    const auto whole = make_traffic(pattern, Grid::torus({7, 5}), uniform_keys(0.3, 2), 3);
    const std::vector<Packet> expected = packets_until(*whole, 200, 200);
    EXPECT_GT(expected.size(), 500u);
    for (const Step cut : {1, 2, 7, 64}) {
      const auto traffic = make_traffic(pattern, Grid::torus({7, 5}), uniform_keys(0.3, 2), 3);
      EXPECT_EQ(packets_until(*traffic, 200, cut), expected) << pattern << " " << cut;
    }
  }
}

TEST(OpenLoop, KeepsItsRate) {
  const auto traffic = make_traffic("uniform", Grid::mesh({20, 20}), uniform_keys(0.3, 3), 9);
  // 400 nodes, 2000 steps, probability 0.1: 80000 packets, standard deviation 268.
  const std::vector<Packet> packets = packets_until(*traffic, 2000, 100);
  EXPECT_NEAR(static_cast<double>(packets.size()), 80000, 5 * 268);
  std::int64_t sum = 0;
  for (const Packet& packet : packets) sum += packet.destination;
  EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(packets.size()), 199.5, 2.1);
}

TEST(OpenLoop, FullRateSendsInEveryStep) {
  const auto traffic = make_traffic("reversal", Grid::mesh({1, 3}), uniform_keys(1.0));
  EXPECT_EQ(packets_until(*traffic, 2, 2),
            (std::vector<Packet>{{0, 2, 1, 0}, {1, 1, 1, 0}, {2, 0, 1, 0}, {0, 2, 1, 1}, {1, 1, 1, 1}, {2, 0, 1, 1}}));
}

TEST(OpenLoop, EndsNeverUnlessItIsSilent) {
  const auto traffic = make_traffic("uniform", Grid::mesh({2, 2}), uniform_keys(0.1));
  EXPECT_EQ(traffic->end(), std::nullopt);
  EXPECT_EQ(traffic->next_creation(17), 17);
  EXPECT_TRUE(traffic->open_loop());
  const auto silent = make_traffic("uniform", Grid::mesh({2, 2}), uniform_keys(0.0));
  EXPECT_EQ(silent->end(), 0);
  EXPECT_EQ(silent->next_creation(0), no_step);
  EXPECT_TRUE(packets_until(*silent, 1000, 1000).empty());
}

TEST(OpenLoop, HasPhases) {
  Keys keys = uniform_keys(0.1);
  keys["warmup"] = std::int64_t{5};
  keys["measure"] = std::int64_t{6};
  keys["drain"] = std::int64_t{7};
  for (const char* pattern : {"uniform", "neighbour"}) {
    const auto phases = make_traffic(pattern, Grid::mesh({2, 2}), keys)->phases();
    ASSERT_TRUE(phases);
    EXPECT_EQ(phases->warmup, 5);
    EXPECT_EQ(phases->measure, 6);
    EXPECT_EQ(phases->drain, 7);
    const auto defaults = make_traffic(pattern, Grid::mesh({2, 2}), uniform_keys(0.1))->phases();
    ASSERT_TRUE(defaults);
    EXPECT_EQ(defaults->warmup, 1000);
    EXPECT_EQ(defaults->measure, 10000);
    EXPECT_EQ(defaults->drain, 100000);
  }
}

TEST(OpenLoop, NodesWithoutADestinationCreateNothing) {
  const auto traffic = make_traffic("greedykill", Grid::mesh({6, 6}), uniform_keys(1.0));
  const std::vector<Packet> packets = packets_until(*traffic, 3, 1);
  ASSERT_EQ(packets.size(), 18u);
  EXPECT_EQ(packets.front(), (Packet{2, 33, 1, 0}));
}

TEST(OpenLoop, LengthsAreTheDefinition) {
  Keys keys = {{"rate", 0.7}, {"flits.uniform", std::vector<std::int64_t>{2, 5}}};
  const auto traffic = make_traffic("uniform", Grid::mesh({9, 9}), keys, 4);
  std::vector<Packet> expected;
  for (Step t = 0; t < 60; ++t)
    for (NodeId v = 0; v < 81; ++v)
      if (RandomStream(4, Purpose::injection, v, t).bernoulli(0.2)) {  // 0.7 flits in packets of 3.5
        const auto to = static_cast<NodeId>(RandomStream(4, Purpose::destination, v, t).bounded(81));
        const auto more = static_cast<std::int32_t>(RandomStream(4, Purpose::injection, v, t, 3).bounded(4));
        expected.push_back({v, to, 2 + more, t});
      }
  EXPECT_EQ(packets_until(*traffic, 60, 7), expected);
  EXPECT_GT(expected.size(), 800u);
}

// Without a rate every node's packet has a length of its own, too.
TEST(OpenLoop, LengthsOfAPermutation) {
  const auto traffic = make_traffic("reversal", Grid::mesh({1, 40}), {{"flits.mix", ShareList{{1, 0.5}, {4, 0.5}}}}, 9);
  const std::vector<Packet> packets = packets_until(*traffic, 1, 1);
  ASSERT_EQ(packets.size(), 40u);
  int longer = 0;
  for (const Packet& packet : packets) {
    const bool low = random_word(9, Purpose::injection, packet.source, 0, 3) < 1u << 31;
    EXPECT_EQ(packet.flits, low ? 1 : 4);
    longer += low ? 0 : 1;
  }
  EXPECT_GT(longer, 5);
  EXPECT_LT(longer, 35);
}

TEST(OpenLoop, OnOffIsTheDefinition) {
  Keys keys = uniform_keys(0.1, 2);
  keys["injection.on_off.on"] = 8.0;
  keys["injection.on_off.off"] = 24.0;
  const NodeId n = 70;  // more than the nodes of a word
  std::vector<Packet> expected;
  std::vector<bool> on(n);
  for (Step t = 0; t < 400; ++t)
    for (NodeId v = 0; v < n; ++v) {
      if (t == 0) on[v] = random_word(6, Purpose::injection, v, 0, 2) < 1u << 30;
      else if (random_word(6, Purpose::injection, v, t, 1) < (on[v] ? 1u << 29 : (1u << 31) / 12)) on[v] = !on[v];
      // On for a quarter of the time, so four times as often as 0.05 packets per step.
      if (on[v] && RandomStream(6, Purpose::injection, v, t).bernoulli(0.1 / 2 / 0.25))
        expected.push_back({v, n - 1 - v, 2, t});
    }
  for (const Step cut : {1, 64, 400}) {
    const auto traffic = make_traffic("reversal", Grid::mesh({1, n}), keys, 6);
    EXPECT_EQ(packets_until(*traffic, 400, cut), expected) << cut;
  }
  // 28,000 node-steps at 0.05; bursts make the sum vary more than Bernoulli's 36.
  EXPECT_NEAR(static_cast<double>(expected.size()), 1400, 250);
}

// The same mean, but bursts: the number of packets in a stretch of time varies much more.
TEST(OpenLoop, OnOffSendsInBursts) {
  const auto variance = [](const Keys& keys) {
    const auto traffic = make_traffic("uniform", Grid::mesh({1, 1}), keys, 8);
    const Step stretch = 50, count = 2000;
    double sum = 0, squares = 0;
    for (Step i = 0; i < count; ++i) {
      std::vector<Packet> packets;
      traffic->generate(i * stretch, (i + 1) * stretch, packets);
      sum += static_cast<double>(packets.size());
      squares += static_cast<double>(packets.size() * packets.size());
    }
    EXPECT_NEAR(sum / static_cast<double>(count * stretch), 0.2, 0.02);
    return squares / count - sum / count * sum / count;
  };
  Keys bursts = uniform_keys(0.2);
  bursts["injection.on_off.on"] = 25.0;
  bursts["injection.on_off.off"] = 75.0;
  EXPECT_GT(variance(bursts), 5 * variance(uniform_keys(0.2)));
}

TEST(OpenLoop, Refusals) {
  const Grid grid = Grid::mesh({2, 2});
  EXPECT_EQ(input_error([&] { make_traffic("uniform", grid, uniform_keys(2.5, 2)); }),
            "2.5 is more than the limit of 2 (flits per processor and step): a node creates at most one packet per "
            "step, so raise flits or lower "
            "rate");
  EXPECT_EQ(input_error([&] {
              make_traffic("tornado", grid, {{"warmup", std::int64_t{5}}});
            }),
            "only open-loop traffic has this key; set traffic.rate");
  EXPECT_EQ(input_error([&] {
              make_traffic("tornado", grid, {{"drain", std::int64_t{5}}});
            }),
            "only open-loop traffic has this key; set traffic.rate");
  EXPECT_EQ(input_error([&] {
              make_traffic("tornado", grid, {{"injection", std::string("bernoulli")}});
            }),
            "only open-loop traffic has this key; set traffic.rate");
  Keys bursts = uniform_keys(1, 4);
  bursts["injection.on_off.on"] = 1.0;
  bursts["injection.on_off.off"] = 7.0;
  EXPECT_EQ(input_error([&] { make_traffic("uniform", grid, bursts); }),
            "1 is more than the limit of 0.5 (flits per processor and step): a node creates at most one packet per "
            "step, and only while its "
            "source is on, so raise flits or lower rate");
}

}  // namespace
}  // namespace starloom

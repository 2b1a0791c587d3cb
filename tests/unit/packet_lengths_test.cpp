// SPDX-License-Identifier: Apache-2.0
// Lengths of packets: what the keys say, and the distributions as they are drawn.
#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Keys = std::map<std::string, KeyValue>;
using List = std::vector<std::int64_t>;

PacketLengths lengths_of(Keys keys) { return packet_lengths(checked_values(length_keys(), std::move(keys), "test")); }

std::string error_of(Keys keys) {
  try {
    lengths_of(std::move(keys));
  } catch (const ConfigError& error) {
    return error.diagnostics().front().key + ": " + error.what();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// How often each length is drawn by the sources of 20,000 nodes.
std::map<std::int32_t, int> drawn(const PacketLengths& lengths) {
  std::map<std::int32_t, int> counts;
  for (NodeId node = 0; node < 20'000; ++node) {
    RandomStream words = length_words(3, node, 7);
    ++counts[lengths.draw(words)];
  }
  return counts;
}

TEST(PacketLengths, AreOneUnlessGiven) {
  EXPECT_EQ(lengths_of({}).mean(), 1);
  EXPECT_TRUE(lengths_of({}).fixed());
  EXPECT_EQ(drawn(lengths_of({{"flits", std::int64_t{7}}})), (std::map<std::int32_t, int>{{7, 20'000}}));
}

TEST(PacketLengths, ARangeIsEvenAndHasBothEnds) {
  const PacketLengths lengths = lengths_of({{"flits.uniform", List{2, 5}}});
  EXPECT_EQ(lengths.mean(), 3.5);
  EXPECT_EQ(lengths.longest(), 5);
  EXPECT_FALSE(lengths.fixed());
  const auto counts = drawn(lengths);
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts.begin()->first, 2);
  for (const auto& [flits, count] : counts) EXPECT_NEAR(count, 5000, 4 * 61) << flits;  // standard deviation 61
}

TEST(PacketLengths, AMixHasItsShares) {
  const PacketLengths lengths = lengths_of({{"flits.mix", ShareList{{1, 0.6}, {8, 0.1}, {5, 0.3}}}});
  EXPECT_DOUBLE_EQ(lengths.mean(), 2.9);
  EXPECT_EQ(lengths.longest(), 8);
  const auto counts = drawn(lengths);
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_NEAR(counts.at(1), 12'000, 4 * 70);
  EXPECT_NEAR(counts.at(5), 6'000, 4 * 65);
  EXPECT_NEAR(counts.at(8), 2'000, 4 * 43);
}

// Shares of tenths do not add up to 1 in binary: the last length has what is left of the words.
TEST(PacketLengths, EveryWordOfAMixHasALength) {
  const PacketLengths lengths = PacketLengths::mix(
      {{1, 0.1}, {2, 0.1}, {3, 0.1}, {4, 0.1}, {5, 0.1}, {6, 0.1}, {7, 0.1}, {8, 0.1}, {9, 0.1}, {10, 0.1}});
  EXPECT_EQ(drawn(lengths).size(), 10u);
  // The greatest of all words.
  ASSERT_EQ(random_word(1, Purpose::injection, 39931, 29661, 3), 0xFFFFFFFFu);
  RandomStream words = length_words(1, 39931, 29661);
  EXPECT_EQ(lengths.draw(words), 10);
}

TEST(PacketLengths, AreDrawnFromTheWordsOfTheirPacket) {
  const PacketLengths range = PacketLengths::uniform(3, 9), mix = PacketLengths::mix({{2, 0.25}, {6, 0.75}});
  for (NodeId node = 0; node < 50; ++node) {
    RandomStream first = length_words(5, node, 11), second = length_words(5, node, 11);
    EXPECT_EQ(range.draw(first),
              3 + static_cast<std::int32_t>(RandomStream(5, Purpose::injection, node, 11, 3).bounded(7)));
    EXPECT_EQ(mix.draw(second), random_word(5, Purpose::injection, node, 11, 3) < 1u << 30 ? 2 : 6);
  }
}

TEST(PacketLengths, Refusals) {
  EXPECT_EQ(error_of({{"flits.uniform", List{5, 2}}}), "flits.uniform: [5, 2] is not a range [shortest, longest]");
  EXPECT_EQ(error_of({{"flits.uniform", List{5}}}), "flits.uniform: [5] is not a range [shortest, longest]");
  EXPECT_EQ(error_of({{"flits.mix", ShareList{{1, 0.5}, {5, 0.4}}}}), "flits.mix: the shares add up to 0.9, not to 1");
  EXPECT_EQ(error_of({{"flits.mix", ShareList{}}}), "flits.mix: the shares add up to 0, not to 1");
  EXPECT_EQ(error_of({{"flits.mix", ShareList{{1, 1.0}}}, {"flits.uniform", List{1, 2}}}),
            "flits: uniform and mix exclude each other; keep one of them");
  EXPECT_EQ(error_of({{"flits.mix", ShareList{{0, 0.5}, {5, 0.5}}}}),
            "test: flits.mix: 0 is out of range (1 to 2^31 - 1)");
  EXPECT_EQ(error_of({{"flits.mix", ShareList{{1, 0.0}, {5, 1.0}}}}),
            "test: flits.mix: a share of 0 is not above 0 and at most 1");
}

}  // namespace
}  // namespace starloom

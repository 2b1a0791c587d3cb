// SPDX-License-Identifier: Apache-2.0
#include <starloom/core/random.hpp>
#include <starloom/core/random_draws.hpp>
#include <starloom/core/wide_philox.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace starloom {
namespace {

// Known answers of Philox4x32-10 from the Random123 distribution (kat_vectors): counter and key all zero.
TEST(Random, KnownAnswerOfZeros) {
  const RandomBlock block = random_block(std::uint64_t{0}, static_cast<Purpose>(0), 0, 0, 0);
  EXPECT_EQ(block.word[0], 0x6627e8d5u);
  EXPECT_EQ(block.word[1], 0xe169c58du);
  EXPECT_EQ(block.word[2], 0xbc57ac4cu);
  EXPECT_EQ(block.word[3], 0x9b00dbd8u);
}

TEST(Random, KnownAnswerOfPi) {
  // counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0
  const std::uint64_t seed = (std::uint64_t{0x299f31d0u ^ 1u} << 32) | 0xa4093822u;
  const Step step = static_cast<Step>((std::uint64_t{0x13198a2e} << 32) | 0x85a308d3u);
  const RandomBlock block = random_block(seed, Purpose::permutation, 0x243f6a88u, step, 0x03707344u);
  EXPECT_EQ(block.word[0], 0xd16cfe09u);
  EXPECT_EQ(block.word[1], 0x94fdccebu);
  EXPECT_EQ(block.word[2], 0x5001e420u);
  EXPECT_EQ(block.word[3], 0x24126ea1u);
}

TEST(Random, NodesShareBlocksOfFour) {
  const RandomBlock block = random_block(7, Purpose::injection, 3, 11, 2);
  for (NodeId node = 12; node < 16; ++node)
    EXPECT_EQ(random_word(7, Purpose::injection, node, 11, 2), block.word[node - 12]);
}

/// Every maker of words that runs on this machine, in turn: also the plain one of machines without vector instructions.
class WordsOf : public testing::TestWithParam<const WordMaker*> {
 protected:
  void SetUp() override {
    if (!GetParam()->runs_here) GTEST_SKIP() << "this machine has no " << GetParam()->name;
    use_word_maker(*GetParam());
  }
  void TearDown() override { use_word_maker(widest_); }

 private:
  const WordMaker& widest_ = word_maker();
};

// All lengths, so that the wide loops and their remainders are compared.
TEST_P(WordsOf, ManyBlocksAtOnceAreTheSameWords) {
  const std::uint64_t seed = 0x0123456789abcdefu;
  const Step step = (Step{5} << 32) + 77;
  for (std::size_t blocks = 0; blocks <= 75; ++blocks) {
    const std::uint32_t first = static_cast<std::uint32_t>(1000 * blocks);
    std::vector<std::uint32_t> words(4 * blocks + 1, 42);
    random_words(seed, Purpose::injection, first, blocks, step, 3, words.data());
    for (std::size_t b = 0; b < blocks; ++b) {
      const RandomBlock block = random_block(seed, Purpose::injection, first + static_cast<std::uint32_t>(b), step, 3);
      for (std::size_t i = 0; i < 4; ++i) ASSERT_EQ(words[4 * b + i], block.word[i]) << blocks << " " << b << " " << i;
    }
    ASSERT_EQ(words.back(), 42u);
  }
}

TEST_P(WordsOf, WordsOfSomeNodesAreTheirs) {
  const std::uint64_t seed = 0xfedcba9876543210u;
  const Step step = (Step{1} << 33) + 12;
  for (std::size_t count = 0; count <= 75; ++count) {
    std::vector<NodeId> nodes(count);
    for (std::size_t at = 0; at < count; ++at) nodes[at] = static_cast<NodeId>((at * 2654435761u) >> 2);
    std::vector<std::uint32_t> words(count + 1, 42);
    random_words_of(seed, Purpose::algorithm, nodes.data(), count, step, 1, words.data());
    for (std::size_t at = 0; at < count; ++at)
      ASSERT_EQ(words[at], random_word(seed, Purpose::algorithm, nodes[at], step, 1)) << count << " " << at;
    ASSERT_EQ(words.back(), 42u);
  }
}

// Numbers of nodes on both sides of a word of bits, of a group of blocks and of the groups drawn together.
TEST_P(WordsOf, BitsAreBernoulliDraws) {
  const Step step = (Step{3} << 32) + 5;
  for (const NodeId first : {0, 1, 6, 67, 1024})
    for (const NodeId nodes : {1, 2, 31, 32, 33, 63, 64, 65, 81, 127, 129, 2047, 2048, 2049, 5000})
      for (const double p : {0.0, 1e-9, 0.01, 0.5, 1 - 1e-9, 1.0}) {
        const std::uint64_t threshold = bernoulli_threshold(p);
        std::vector<std::uint64_t> bits(static_cast<std::size_t>(nodes + 63) / 64 + 1, 0xABCDu);
        random_below(9, Purpose::injection, first, nodes, step, 1, threshold, bits.data());
        for (NodeId node = 0; node < nodes; ++node)
          ASSERT_EQ(bits[static_cast<std::size_t>(node) / 64] >> node % 64 & 1,
                    random_word(9, Purpose::injection, first + node, step, 1) < threshold ? 1u : 0u)
              << first << " " << nodes << " " << p << " " << node;
        if (nodes % 64 != 0) {
          ASSERT_EQ(bits[bits.size() - 2] >> nodes % 64, 0u) << first << " " << nodes << " " << p;
        }
        ASSERT_EQ(bits.back(), 0xABCDu);
      }
}

std::vector<const WordMaker*> all_makers() {
  std::vector<const WordMaker*> makers;
  for (const WordMaker& maker : word_makers()) makers.push_back(&maker);
  return makers;
}
INSTANTIATE_TEST_SUITE_P(Makers, WordsOf, testing::ValuesIn(all_makers()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Random, BoundedStaysInRangeAndReachesAll) {
  RandomStream stream(1, Purpose::destination, 5, 9);
  std::uint32_t seen = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t value = stream.bounded(7);
    ASSERT_LT(value, 7u);
    seen |= 1u << value;
  }
  EXPECT_EQ(seen, 0x7Fu);
  EXPECT_EQ(RandomStream(1, Purpose::destination, 5, 9).bounded(1), 0u);
}

// A range that leaves a quarter of all words unused: those are rejected, and the next one is taken.
TEST(Random, BoundedRejectsWordsThatWouldFavourSome) {
  constexpr std::uint32_t range = 3u << 30;
  RandomStream stream(1, Purpose::destination, 5, 9);
  std::uint32_t index = 0;
  int rejected = 0;
  for (int i = 0; i < 100; ++i) {
    std::uint64_t product = 0;
    // Of four words of 2^30 each, the lower parts of their products below 2^30 come once too often.
    while (product = std::uint64_t{random_word(1, Purpose::destination, 5, 9, index++)} * range,
           (product & 0xFFFFFFFFu) < (1u << 30))
      ++rejected;
    ASSERT_EQ(stream.bounded(range), product >> 32) << i;
  }
  EXPECT_GT(rejected, 10);
}

TEST(Random, BernoulliThresholdsAreRoundedDown) {
  EXPECT_EQ(bernoulli_threshold(0.3), 1288490188u);  // 1288490188.8
  EXPECT_EQ(bernoulli_threshold(std::ldexp(1.5, -32)), 1u);
  EXPECT_EQ(bernoulli_threshold(std::ldexp(0.5, -32)), 0u);
}

TEST(Random, BernoulliEnds) {
  EXPECT_EQ(bernoulli_threshold(1.0), std::uint64_t{1} << 32);
  EXPECT_EQ(bernoulli_threshold(0.0), 0u);
  EXPECT_EQ(bernoulli_threshold(0.25), std::uint64_t{1} << 30);
  RandomStream stream(1, Purpose::injection, 0, 0);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(stream.bernoulli(1.0));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(stream.bernoulli(0.0));
}

}  // namespace
}  // namespace starloom

#include <starloom/core/random.hpp>

#include <gtest/gtest.h>

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

// All lengths, so that both the wide loop and its remainder are compared.
TEST(Random, ManyBlocksAtOnceAreTheSameWords) {
  const std::uint64_t seed = 0x0123456789abcdefu;
  const Step step = (Step{5} << 32) + 77;
  for (std::size_t blocks = 0; blocks <= 41; ++blocks) {
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counter-based random words: a word is a function of (seed, purpose, node, step, index) only, so results do
/// not depend on the evaluation order. Philox4x32-10 of Salmon et al., SC'11, from the Random123 library.
#include <cstddef>
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom {

enum class Purpose : std::uint32_t {
  permutation = 1,
  injection = 2,
  destination = 3,
  algorithm = 4,
  faults = 5,
  stalls = 6,
};

/// Four words at once: those of nodes 4*block .. 4*block+3.
struct RandomBlock {
  std::uint32_t word[4];
};
RandomBlock random_block(std::uint64_t seed, Purpose purpose, std::uint32_t block, Step step, std::uint32_t index);

/// Many blocks at once, for draws of all nodes in a step: words[0 .. 4*blocks) become those of nodes 4*first_block
/// and up. The same words as random_block, several times faster.
void random_words(std::uint64_t seed, Purpose purpose, std::uint32_t first_block, std::size_t blocks, Step step,
                  std::uint32_t index, std::uint32_t* words);

/// Bernoulli draws of nodes 0 .. nodes-1 in a step: bit v & 63 of below[v >> 6] is set if the word of node v is
/// below `threshold` (0 to 2^32, `bernoulli_threshold`). Unused bits of the last element are 0.
void random_below(std::uint64_t seed, Purpose purpose, NodeId nodes, Step step, std::uint32_t index,
                  std::uint64_t threshold, std::uint64_t* below);

/// word(seed, purpose, node, step, index): key (low seed, high seed xor purpose), counter (node >> 2, low step,
/// high step, index), word node & 3.
inline std::uint32_t random_word(std::uint64_t seed, Purpose purpose, NodeId node, Step step, std::uint32_t index) {
  const auto n = static_cast<std::uint32_t>(node);
  return random_block(seed, purpose, n >> 2, step, index).word[n & 3];
}

/// The draws of one (seed, purpose, node, step), in order of their index.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, NodeId node, Step step, std::uint32_t first_index = 0)
      : seed_(seed), purpose_(purpose), node_(node), step_(step), index_(first_index) {}

  std::uint32_t word() { return random_word(seed_, purpose_, node_, step_, index_++); }

  /// Uniform in [0, range), range >= 1: Lemire's multiplication with rejection; each rejection takes the next index.
  std::uint32_t bounded(std::uint32_t range);

  /// True with probability p: word < floor(p * 2^32); p >= 1 is always true (and still takes a word).
  bool bernoulli(double p);

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  NodeId node_;
  Step step_;
  std::uint32_t index_;
};

/// floor(p * 2^32), 2^32 for p >= 1, 0 for p <= 0: the threshold that Bernoulli draws compare with.
std::uint64_t bernoulli_threshold(double p);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <starloom/core/random_draws.hpp>
#include <starloom/core/wide_philox.hpp>

namespace starloom {

void random_words(std::uint64_t seed, Purpose purpose, std::uint32_t first_block, std::size_t blocks, Step step,
                  std::uint32_t index, std::uint32_t* words) {
  const WordMaker& maker = word_maker();
  const WideDraw draw(seed, purpose, step, index);
  const std::size_t groups = blocks / WordMaker::blocks, done = groups * WordMaker::blocks;
  maker.make(draw, first_block, groups, words);
  if (done == blocks) return;
  std::uint32_t last[WordMaker::words];
  maker.make(draw, first_block + static_cast<std::uint32_t>(done), 1, last);
  std::copy(last, last + 4 * (blocks - done), words + 4 * done);
}

void random_words_of(std::uint64_t seed, Purpose purpose, const NodeId* nodes, std::size_t count, Step step,
                     std::uint32_t index, std::uint32_t* words) {
  const WordMaker& maker = word_maker();
  const WideDraw draw(seed, purpose, step, index);
  const std::size_t eights = count / 8, done = 8 * eights;
  maker.pick(draw, nodes, eights, words);
  if (done == count) return;
  NodeId last_nodes[8] = {};
  std::uint32_t last[8];
  std::copy(nodes + done, nodes + count, last_nodes);
  maker.pick(draw, last_nodes, 1, last);
  std::copy(last, last + (count - done), words + done);
}

void random_below(std::uint64_t seed, Purpose purpose, NodeId first, NodeId nodes, Step step, std::uint32_t index,
                  std::uint64_t threshold, std::uint64_t* below) {
  constexpr std::size_t in_mask = 64;
  const auto count = static_cast<std::size_t>(nodes);
  const std::size_t masks = (count + in_mask - 1) / in_mask;
  std::fill(below, below + masks, 0);
  if (threshold == 0) return;
  const WordMaker& maker = word_maker();
  const WideDraw draw(seed, purpose, step, index);
  const std::uint32_t first_block = static_cast<std::uint32_t>(first) >> 2;
  // The first node may be inside its block; the bits of the nodes before it are shifted out.
  const std::size_t before = static_cast<std::size_t>(first) & 3;
  const std::size_t groups = (before + count + WordMaker::words - 1) / WordMaker::words;
  std::uint32_t bits[64];
  for (std::size_t done = 0; done < groups; done += std::size(bits)) {
    const std::size_t some = std::min(std::size(bits), groups - done);
    maker.compare(draw, first_block + static_cast<std::uint32_t>(done * WordMaker::blocks), some,
                  static_cast<std::uint32_t>(threshold - 1), bits);
    for (std::size_t at = 0; at < some; ++at) {
      const std::size_t group = done + at;
      if (group == 0) {
        below[0] |= bits[0] >> before;
        continue;
      }
      const std::size_t bit = group * WordMaker::words - before, mask = bit / in_mask, shift = bit % in_mask;
      if (mask == masks) continue;
      below[mask] |= std::uint64_t{bits[at]} << shift;
      if (shift > in_mask - WordMaker::words && mask + 1 < masks) below[mask + 1] |= bits[at] >> (in_mask - shift);
    }
  }
  if (count % in_mask != 0) below[masks - 1] &= ~(~std::uint64_t{0} << count % in_mask);
}

void random_below(std::uint64_t seed, Purpose purpose, NodeId nodes, Step step, std::uint32_t index,
                  std::uint64_t threshold, std::uint64_t* below) {
  random_below(seed, purpose, 0, nodes, step, index, threshold, below);
}

}  // namespace starloom

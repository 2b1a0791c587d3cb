// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Philox4x32-10 for eight blocks and more side by side, with the vector instructions that this machine has.
/// Compilers do not find this form by themselves. Integer arithmetic: every maker makes the same words, those of
/// `random_block`.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/core/random.hpp>

namespace starloom {

/// What all blocks of a call have in common.
struct WideDraw {
  static constexpr int rounds = 10;

  WideDraw(std::uint64_t seed_of_draw, Purpose purpose_of_draw, Step step_of_draw, std::uint32_t index_of_draw);

  std::uint64_t seed;
  Purpose purpose;
  Step step;
  std::uint32_t step_low, step_high, index;
  std::uint64_t key_0[rounds], key_1[rounds];  ///< of each round; a lane of 64 bits has one in its lower half
};

/// One way to make words. All functions work on whole groups of `blocks` blocks, that is of `words` nodes.
struct WordMaker {
  static constexpr std::size_t blocks = 8;
  static constexpr std::size_t words = 4 * blocks;

  const char* name;  ///< of the instructions
  bool runs_here;    ///< if this machine has them
  /// words[0 .. 32 * groups) of the nodes from 4 * first_block.
  void (*make)(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t* words);
  /// A bit for each of these words, set if it is not above `greatest`: bits[g] has those of group g.
  void (*compare)(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t greatest,
                  std::uint32_t* bits);
  /// words[0 .. 8 * eights), each of the node beside it.
  void (*pick)(const WideDraw& draw, const NodeId* nodes, std::size_t eights, std::uint32_t* words);
};

/// All of them, the widest first; the last is plain C++ and runs everywhere.
const std::vector<WordMaker>& word_makers();

/// The one in use: the widest that runs here, until told otherwise.
const WordMaker& word_maker();

/// Takes another one, of `word_makers()`, for the whole process: tests show with it that results are the same on
/// machines without vector instructions. Not while words are made.
void use_word_maker(const WordMaker& maker);

}  // namespace starloom

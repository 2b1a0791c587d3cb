// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Philox4x32-10 for eight blocks and more side by side, with the vector instructions of this machine. Compilers
/// do not vectorise the plain form. Because arithmetic is exact, every maker makes the same words as `random_block`.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/core/random.hpp>

namespace starloom {

/// The inputs of a call that all blocks share.
struct WideDraw {
  static constexpr int rounds = 10;

  WideDraw(std::uint64_t seed_of_draw, Purpose purpose_of_draw, Step step_of_draw, std::uint32_t index_of_draw);

  std::uint64_t seed;
  Purpose purpose;
  Step step;
  std::uint32_t step_low, step_high, index;
  std::uint64_t key_0[rounds], key_1[rounds];  ///< of each round; a lane of 64 bits has one in its lower half
};

/// An implementation for one set of instructions. All functions work on whole groups of `blocks` blocks, that is of
/// `words` nodes.
struct WordMaker {
  static constexpr std::size_t blocks = 8;
  static constexpr std::size_t words = 4 * blocks;

  const char* name;  ///< of the instructions
  bool runs_here;    ///< this machine has these instructions
  /// words[0 .. 32 * groups) of the nodes from 4 * first_block.
  void (*make)(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t* words);
  /// A bit for each of these words, set if it is not above `greatest`: bits[g] has those of group g.
  void (*compare)(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t greatest,
                  std::uint32_t* bits);
  /// words[0 .. 8 * eights), each of the node beside it.
  void (*pick)(const WideDraw& draw, const NodeId* nodes, std::size_t eights, std::uint32_t* words);
};

/// All implementations, the widest first; the last is plain C++ and runs on any machine.
const std::vector<WordMaker>& word_makers();

/// The implementation in use: the widest that runs on this machine, unless `use_word_maker` chose another one.
const WordMaker& word_maker();

/// Sets the implementation for the whole process, one of `word_makers()`. Tests use it to show that results are the
/// same on machines without vector instructions. Must not be called while words are made.
void use_word_maker(const WordMaker& maker);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Random words of any set of nodes at once; random.hpp has those of all nodes.
#include <starloom/core/random.hpp>

namespace starloom {

/// words[i] becomes the word of nodes[i], for `count` nodes.
void random_words_of(std::uint64_t seed, Purpose purpose, const NodeId* nodes, std::size_t count, Step step,
                     std::uint32_t index, std::uint32_t* words);

/// As `random_below` of all nodes, but bit v & 63 of below[v >> 6] is for node first + v, v = 0 .. nodes-1.
void random_below(std::uint64_t seed, Purpose purpose, NodeId first, NodeId nodes, Step step, std::uint32_t index,
                  std::uint64_t threshold, std::uint64_t* below);

}  // namespace starloom

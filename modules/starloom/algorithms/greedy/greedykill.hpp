// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pattern that causes long queues in greedy.
#include <cstdint>
#include <optional>

#include <starloom/control/algorithm_pattern.hpp>

namespace starloom::patterns {

/// Makes plain greedy (row first, farthest destination first) queue about 2n/3 packets in node (1, l) of an n x n
/// mesh: packets of row 0 keep the link south of that node busy for n/3 steps while those of row 1 arrive from both
/// sides. With l = `column`, n/2 (rounded down) by default, the nodes of row 0 with 6|column - l| <= n, then those of
/// row 1 with 3|column - l| < n, each from left to right, send to column l: to row n-1, n-2, and so on until all rows
/// are used. All others send no packet. \throws InputError if the network is not a square mesh of side 2 or more.
/// \throws ConfigError if the mesh does not have the column.
Destinations greedykill(const Processors& processors, std::optional<std::int64_t> column = {});

AlgorithmPattern greedykill_pattern();

}  // namespace starloom::patterns

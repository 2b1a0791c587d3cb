// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Patterns made of the 8 x 8 supersquares of a square mesh, which attack algorithms that move blocks
/// (docs/formats.md, "Patterns of supersquares"). n is the side of the mesh, m = n/8 that of a supersquare; [R, C] is
/// the supersquare in block row R and block column C. All are partial permutations.
/// \throws InputError, all of them: the network is not a square mesh of two dimensions, or its side is not a multiple
/// of 8.
#include <vector>

#include <starloom/control/algorithm_pattern.hpp>

namespace starloom::patterns {

/// The four corner supersquares send to the opposite ones, (r, c) to (n-1-r, n-1-c): only critical packets.
Destinations corner(const Processors& processors);
/// The same with blocks shifted as they are, (r, c) to (r +- 7m, c +- 7m): the nested levels route the identity.
Destinations corner_shift(const Processors& processors);
/// The packets of `corner` that are critical in the nested levels, too: (r, c) with r mod m and c mod m in a corner
/// of the region of m x m nodes, and so on, down to the base level.
Destinations corner_critical(const Processors& processors);
/// The two middle block rows and the two middle block columns exchange their packets, (r, c) to (c, r): rows full of
/// packets for the middle columns, and middle columns full of packets.
Destinations cross(const Processors& processors);
/// `cross` and `corner` combined: critical blocks cross the busy middle.
Destinations cross_corner(const Processors& processors);
/// The middle supersquares of the first and of the last block row, whose packets wait in temporary rows, are the
/// destinations of the four corners: [0,0], [0,7], [7,0], [7,7] send to [7,3], [7,4], [0,3], [0,4], node by node.
Destinations specials(const Processors& processors);
/// Every node (r, c) with c divisible by 4 sends to (n-1-r, 3m + c/4): all packets are for the middle columns, and
/// all of these are full.
Destinations into_middle(const Processors& processors);

// The following patterns depend on the subsquares, s x s nodes, that are sorted before packets move.

/// The greatest possible queue of packets of one column, in column 3m, row 6m: from every subsquare that reaches that
/// row, by itself or in a block of type Ia, 1 + a multiple of s packets go to that column, so that the sort leaves
/// one more than their share in its first row. There are no other packets.
Destinations queue_middle(const Processors& processors, std::int32_t s);
/// The same in a column outside the middle: column 2m, row 4m, which all packets of the row reach by step 8m - 1.
Destinations queue_outside(const Processors& processors, std::int32_t s);
/// `queue_one` against a sort in snake order: 2 + a multiple of 2s packets, behind s - 1 others that are sorted
/// before them, so that two are in one row at every turn of the snake: row 6m + s - 1.
Destinations queue_snake(const Processors& processors, std::int32_t s);
/// Fills the link into column 5m - 1 in the rows from 6m on: 5m packets per row pass along it on their way farther to
/// the right, and 2 2/3 m of type Ia in blocks that move there and end in columns 5m - 1, 5m - 2, ...: the row phase
/// ends later than the paper's 7 2/3 m, and special packets are late for their temporary rows. The other nodes of the
/// corners send to the opposite ones.
Destinations late_rows(const Processors& processors, std::int32_t s);

/// The same without other packets.
Destinations late_rows_alone(const Processors& processors, std::int32_t s);
/// For a router that does not sort (s = 1) and whose columns wait for step 8m - 1: all nodes of row 5m send to column
/// 4m, node (5m, c) to row c, and wait in one node. Nodes of [7,1] and [7,6] in row 7m send to row 4m: their blocks
/// arrive in row 5m in step 5m, and they cross that node from both sides.
Destinations queue_crossed(const Processors& processors);
/// For columns that start when packets arrive (`asap`): 1 + a multiple of s packets of subsquares of the last row go
/// to column 3m - 1. The first row of each subsquare, where the sort leaves one more than their share, meets in node
/// (n - s, 3m - 1); the other rows have farther to go, and keep the link north of that node busy meanwhile. For s = 1
/// subsquares have one row: `greedykill` in that column.
Destinations queue_asap(const Processors& processors, std::int32_t s);
/// The same against `kunde` with subsquares of s x s nodes, n/24 if s is 0, in column n/2. The mesh need not consist
/// of supersquares. \throws InputError: the mesh is not square, or is not divided into several subsquares, or s is
/// below 2.
Destinations queue_kunde(const Processors& processors, std::int32_t s);

/// Structured with random parts: a permutation of the supersquares with turned blocks, in which corners may go to the
/// opposite ones, one or more columns may be collected from a row, one of the adversaries may be overlaid, and a
/// fraction of the packets may be missing. Uniform random permutations cause almost no queues in any algorithm.
Destinations structured(const Processors& processors, std::uint64_t seed);

/// All of these by name, in the order of `starloom list`.
std::vector<AlgorithmPattern> block_patterns();

}  // namespace starloom::patterns

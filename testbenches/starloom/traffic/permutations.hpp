// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The fixed patterns: formulas on node numbers and coordinates (docs/formats.md). Where BookSim 2 has the name, its
/// formula holds. All are permutations but `greedykill` (partial) and `hot_spot` (many-to-one).
#include <cstdint>
#include <optional>

#include <starloom/topology/processors.hpp>
#include <starloom/traffic/destinations.hpp>

namespace starloom::patterns {

Destinations identity(const Processors& processors);
/// Coordinates of the first half of the axes change places with those of the second half: row and column on the mesh.
/// \throws InputError: odd number of axes, or the two halves of the shape differ.
Destinations transpose(const Processors& processors);
/// Node v sends to n-1-v.
Destinations reversal(const Processors& processors);
/// The bits of the node number in reverse order. \throws InputError: n is no power of two.
Destinations bit_reversal(const Processors& processors);
/// Every bit of the node number inverted. \throws InputError: n is no power of two.
Destinations bit_complement(const Processors& processors);
/// The bits of the node number rotated left by one. \throws InputError: n is no power of two.
Destinations shuffle(const Processors& processors);
/// Each coordinate x of a side k becomes (x + ceil(k/2) - 1) mod k.
Destinations tornado(const Processors& processors);
/// Each coordinate x of a side k becomes (x + 1) mod k.
Destinations neighbour(const Processors& processors);
/// (row, column) of an n x n mesh sends to (column, n-1-row). \throws InputError: no square mesh of two dimensions.
Destinations quarter_turn(const Processors& processors);
/// (row, column) of an n x n mesh sends to (n-1-column, n-1-row). \throws InputError: no square mesh of two dimensions.
Destinations antitranspose(const Processors& processors);
/// The first coordinate x of a side k becomes k-1-x: the columns of a mesh are turned upside down.
Destinations column_reversal(const Processors& processors);
/// Node v sends to (v + offset) mod n; any offset.
Destinations shift(const Processors& processors, std::int64_t offset);
/// Each coordinate x of a side k becomes (x + k/2) mod k: on a plane the four quadrants change places diagonally.
/// \throws InputError: an odd side.
Destinations block(const Processors& processors);
/// Node v sends to targets[v mod number of targets]. \throws InputError: no target, or one that is no node.
Destinations hot_spot(const Processors& processors, const std::vector<std::int64_t>& targets);

/// Makes plain greedy (row first, furthest destination first) queue about 2n/3 packets in node (1, l) of an n x n mesh:
/// packets of row 0 keep the link south of that node busy for n/3 steps while those of row 1 arrive from both sides.
/// With l = `column`, n/2 (rounded down) unless given, the nodes of row 0 with 6|column - l| <= n, then those of row 1 with 3|column - l| < n,
/// each from left to right, send to column l: to row n-1, n-2, and so on until the rows run out. All others send nothing.
/// \throws InputError: no square mesh of side 2 or more. \throws KeyFault: the mesh has no such column.
Destinations greedykill(const Processors& processors, std::optional<std::int64_t> column = {});

}  // namespace starloom::patterns

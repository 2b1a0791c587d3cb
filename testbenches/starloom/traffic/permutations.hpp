// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The fixed patterns: formulas on node numbers and coordinates (docs/formats.md). Patterns with a name of
/// BookSim 2 have its formula. All are permutations except `hot_spot` (many-to-one).
#include <cstdint>

#include <starloom/topology/processors.hpp>

namespace starloom::patterns {

Destinations identity(const Processors& processors);
/// Coordinates of the first half of the axes are exchanged with those of the second half: row and column on the mesh.
/// \throws InputError: odd number of axes, or the two halves of the shape differ.
Destinations transpose(const Processors& processors);
/// Node v sends to n-1-v.
Destinations reversal(const Processors& processors);
/// The bits of the node number in reverse order. \throws InputError: n is not a power of two.
Destinations bit_reversal(const Processors& processors);
/// Every bit of the node number inverted. \throws InputError: n is not a power of two.
Destinations bit_complement(const Processors& processors);
/// The bits of the node number rotated left by one. \throws InputError: n is not a power of two.
Destinations shuffle(const Processors& processors);
/// Each coordinate x of a side k becomes (x + ceil(k/2) - 1) mod k.
Destinations tornado(const Processors& processors);
/// Each coordinate x of a side k becomes (x + 1) mod k.
Destinations neighbour(const Processors& processors);
/// (row, column) of an n x n mesh sends to (column, n-1-row). \throws InputError: not a square mesh of two
/// dimensions.
Destinations quarter_turn(const Processors& processors);
/// (row, column) of an n x n mesh sends to (n-1-column, n-1-row). \throws InputError: not a square mesh of two
/// dimensions.
Destinations antitranspose(const Processors& processors);
/// The first coordinate x of a side k becomes k-1-x: the columns of a mesh are reversed.
Destinations column_reversal(const Processors& processors);
/// Node v sends to (v + offset) mod n; any offset.
Destinations shift(const Processors& processors, std::int64_t offset);
/// Each coordinate x of a side k becomes (x + k/2) mod k: in a plane the four quadrants are exchanged diagonally.
/// \throws InputError: an odd side.
Destinations block(const Processors& processors);
/// Node v sends to targets[v mod number of targets]. \throws InputError: no target, or one that is not a node.
Destinations hot_spot(const Processors& processors, const std::vector<std::int64_t>& targets);

}  // namespace starloom::patterns

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The lengths of a supernode: a square of nodes that represents one node of the simulated packet routing
/// algorithm (A. Roberts, A. Symvonis, "On Deflection Worm Routing on Meshes", 1994, section 3).
#include <cstdint>

#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// All lengths follow from the flits of a worm, k = s^2, and the worms that a supernode stores, f = 4m^2 - 4.
struct SupernodeSize {
  std::int32_t f = 12;  ///< worms that a supernode can store
  std::int32_t k = 4;   ///< flits of a worm
  std::int32_t s = 2;   ///< side of a buffer, which stores one worm
  std::int32_t m = 2;

  std::int32_t h() const { return m * s; }             ///< row and column of the lanes, and of the centre (h, h)
  std::int32_t last() const { return 2 * h(); }        ///< L: rows and columns are 0..L
  std::int32_t side() const { return 2 * h() + 1; }    ///< S
  std::int32_t slots() const { return f / 2; }         ///< H: worms of one storage ring
  std::int32_t stored() const { return slots() * k; }  ///< Hk: steps of a ring in which stored worms pass a node
  std::int32_t delay() const { return k + 6; }         ///< D: steps that the folds add to a ring
  std::int32_t cells() const { return side() * side(); }

  /// \throws InputError if there is no supernode of these numbers
  static SupernodeSize of(std::int64_t f, std::int64_t k);
  /// The least f that is at least `worms`.
  static std::int64_t least_f(std::int64_t worms);
};

/// Supernodes per row of the mesh, N. \throws InputError if the mesh does not consist of N x N whole supernodes
std::int32_t supernodes_of_side(const Grid& mesh, const SupernodeSize& size);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Online worm routing without storage on a mesh of supernodes (A. Roberts, A. Symvonis, "On Deflection Worm
/// Routing on Meshes", 1994, section 3, after Newman and Schuster).
#include <starloom/algorithms/supernode_hot_potato/node_controllers.hpp>
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry supernode_hot_potato_entry();

/// Parts of the protocol that tests can change, and users cannot.
struct SupernodeDouble {
  SupernodeRepairs repairs{};
  std::int32_t delay = 0;                           ///< steps that folds add to a ring; 0: the default
  std::shared_ptr<const SupernodeRouter> router{};  ///< null: determined by the keys
};

/// The algorithm for known packets. \throws InputError if mesh, keys or packets are incompatible
std::unique_ptr<Algorithm> make_supernode_hot_potato(const AlgorithmContext& context, const KeyValues& keys,
                                                     const SupernodeDouble& changed);

}  // namespace starloom::links

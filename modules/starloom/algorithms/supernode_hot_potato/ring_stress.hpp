// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Supernodes that are nearly full from the start: attacks the storage rings of supernode-hot-potato.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/algorithm_pattern.hpp>
#include <starloom/core/packet.hpp>

namespace starloom::patterns {

/// In each of `rounds` rounds worms of `flits` flits are in the slots of the storage rings from the start, at random
/// and unevenly distributed: up to f - 2 in a supernode, half of them for nodes of the same one. All worms of a round
/// go to one cell of supernodes, a different one in every round. While some supernode would have to keep more than f
/// - 4 worms, the last of those that it keeps is removed, so that many rounds reach this number. A worm's source is
/// the node where its slot begins. `f`: if not given, the least with which supernodes fill the mesh.
/// \throws InputError if supernodes do not fill the mesh, or have fewer cells than there are rounds
std::vector<Packet> ring_stress(const Processors& processors, std::uint64_t seed, std::int32_t flits,
                                std::optional<std::int64_t> f, std::int64_t rounds);

AlgorithmPattern ring_stress_pattern();

}  // namespace starloom::patterns

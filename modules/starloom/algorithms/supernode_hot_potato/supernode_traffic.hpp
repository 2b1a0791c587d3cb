// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the packets of a run ask of rounds and supernodes.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_mesh.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>
#include <starloom/core/packet.hpp>

namespace starloom::links {

/// Worms of a round that go to one supernode, at most; at least 1.
/// \throws InputError if two packets leave a node in one round
std::int32_t most_to_one_supernode(const SupernodeMesh& mesh, const std::vector<Packet>& packets);

/// The supersteps after which worms that lie in the rings from the start are at their supernodes, in the slowest round.
/// \throws InputError if a packet begins where no slot does, if two begin in one slot of a round, or if a supernode
/// must keep more than `most_kept` worms after sending
std::int32_t supersteps_of_preloaded(const SupernodeMesh& mesh, const std::vector<Packet>& packets,
                                     const SupernodeRouter& router, bool consumed_at_once, std::int32_t most_kept);

}  // namespace starloom::links

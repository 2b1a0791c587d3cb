// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requirements of the packets of a run for rounds and supernodes.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_mesh.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>
#include <starloom/core/packet.hpp>

namespace starloom::links {

/// Greatest number of worms of a round for one supernode; at least 1.
/// \throws InputError if two packets leave a node in one round
std::int32_t most_to_one_supernode(const SupernodeMesh& mesh, const std::vector<Packet>& packets);

/// The supersteps after which worms that are in the rings from the start are at their supernodes, in the slowest
/// round.
/// \throws InputError if a packet begins where no slot does, if two begin in one slot of a round, or if a supernode
/// must keep more than `most_kept` worms after sending
std::int32_t supersteps_of_preloaded(const SupernodeMesh& mesh, const std::vector<Packet>& packets,
                                     const SupernodeRouter& router, bool consumed_at_once, std::int32_t most_kept);

}  // namespace starloom::links

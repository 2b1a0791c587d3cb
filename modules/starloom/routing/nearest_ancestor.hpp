// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Nearest common ancestors in fat trees.
#include <starloom/routing/function_entry.hpp>
#include <starloom/topology/fat_tree.hpp>

namespace starloom::routing {

/// Up until the destination is below, then down. On the way up, the digit of the destination's number at the level of
/// the switch selects the port, so that all packets for one destination meet in one switch of every level and go down
/// together (F. Petrini and M. Vanneschi, "k-ary n-trees", IPPS 1997). no_port at the destination.
Port nearest_ancestor_port(const FatTree& tree, NodeId at, NodeId destination);

/// With the key `nearest-ancestor.ascent`, the up-ports are those of `nearest_ancestor_port`, or the digits of a number
/// that each packet chooses at random, or all of them.
FunctionEntry nearest_ancestor_entry();

}  // namespace starloom::routing

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Paths that leave no cycle on any network, with any number of channels.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Nue (J. Domke, T. Hoefler and S. Matsuoka, "Routing on the Dependency Graph: A New Approach to Deadlock-Free
/// High-Performance Routing", HPDC 2016): each channel is a layer for some of the destinations, consecutive processors,
/// and the paths of each layer leave no cycle (`NueLayer`). Destinations are searched from the last processor to the
/// first.
///
/// Other than in the paper, the tree grows from the first destination, not from the node that most shortest paths
/// cross; links that a search considers, but does not take, add no edges; and only those nodes take the tree that have
/// to, not all of a destination, so that no other links are tried first (local backtracking). The layers of the paper
/// are parts of a partition that minimizes the links between them.
///
/// With faults, over the cables whose links are both alive, in each layer over those whose channels are.
FunctionEntry nue_entry();

}  // namespace starloom::routing

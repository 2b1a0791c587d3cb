// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The list form of a network in a file: a line for each router, as in BookSim2 (`network_file`; Jiang et al.,
/// "A detailed and flexible cycle-accurate network-on-chip simulator", 2013).
#include <string>

#include <starloom/topologies/graph/graph_draft.hpp>

namespace starloom {

/// True if a text begins as a list of routers.
bool is_router_list(const std::string& text);

/// Reads `router 0 node 0 router 1 15 ...` into `draft`; adds errors there. A line names the neighbours of its router
/// or node; a number after a neighbour is the latency, else it is 1. The two links of a node have the same latency.
/// Between two routers, each line gives the latency of the link from its router, and a link that no line names has
/// latency 1. A text after `#` or `//` is a comment.
///
/// Nodes: `node N` is processor N, `node_03`, and a host if it has several routers; the routers follow in the order of
/// their numbers, `router_03`, as switches. Ports of a host are in the order of its routers. Ports of a router are
/// those of its nodes by their numbers, then those of its neighbours by theirs; in-port q faces the same neighbour as
/// out-port q.
void read_router_list(const std::string& text, GraphDraft& draft);

}  // namespace starloom

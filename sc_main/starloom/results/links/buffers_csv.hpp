// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `buffers.csv` of runs with virtual channels.
#include <functional>
#include <string>

#include <starloom/core/links/buffer_use.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A row for every channel of every in-port, the local one last:
/// `node,port,channel,mean_occupancy,max_occupancy,credit_stalls` (flits, flits, steps).
/// \param channels_at the channels of an in-port of a node.
std::string buffers_csv(const NetworkGraph& graph, const ChannelUse& use,
                        const std::function<int(NodeId)>& channels_at);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The cycle of a deadlock, from result.json.
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// A packet of a cycle, and the resource that it waits for; the next entry's packet holds that. It waits for a link,
/// or at the end of that link behind other packets in its channel.
struct CyclePacket {
  PacketId packet = no_packet;
  NodeId node = no_node;      ///< where the link begins
  Port port = no_port;        ///< no_port: it does not wait for a link
  bool at_processor = false;  ///< it waits for its processor
  std::int32_t channel = -1;  ///< -1: the links have no channels
};

/// Empty if the run ended without a deadlock. \throws InputError for nodes, ports and packets that the network or the
/// `packets` packets do not have.
std::vector<CyclePacket> read_cycle(const ResultDocument& result, const NetworkGraph& graph, std::int64_t packets);

}  // namespace starloom::links

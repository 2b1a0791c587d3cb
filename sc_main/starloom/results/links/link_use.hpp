// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Results about the use of links: `links.csv` of runs with virtual channels, and the busiest link of any run.
#include <optional>
#include <string>

#include <starloom/core/links/link_use.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A row for every link: `node,port,to,flits,utilisation`.
std::string links_csv(const NetworkGraph& graph, const LinkUse& use);

/// A link, given by the node and the out-port that it leaves.
struct LinkStart {
  NodeId node = no_node;
  Port port = no_port;
};
/// The link of the highest utilisation, of several the first one; nullopt if no flit crossed a link.
std::optional<LinkStart> busiest_link(const NetworkGraph& graph, const LinkUse& use);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The selection of instances of a network of links for waves.
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The selected parts of one node.
struct ShownNode {
  NodeId node = no_node;
  bool state = false;                 ///< the node itself is selected
  std::vector<std::size_t> fields;    ///< numbers of the state fields of its controller
  std::vector<std::int32_t> buffers;  ///< numbers of its flit buffers
  std::vector<Port> links;            ///< out-ports of links that leave it
};

/// The instance name of a flit buffer of a node, below it: `buffer_east_v0`.
std::string buffer_name(const NetworkGraph& graph, const Declaration& declaration, NodeId node, std::int32_t buffer);

/// The instances that match one of `globs`, by node. A node includes its state, its buffers, and the links that leave
/// and reach it; links and buffers can be selected alone.
/// \throws InputError (the text has no location): globs without a match, a line each, with near names.
std::vector<ShownNode> choose_instances(const NetworkGraph& graph, const Declaration& declaration,
                                        const std::vector<std::string>& globs);

}  // namespace starloom::links

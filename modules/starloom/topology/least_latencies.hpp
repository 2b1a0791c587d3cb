// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The latencies of the fastest paths of a network.
#include <map>
#include <vector>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Sums of the latencies of links, without the steps of routers. The paths from a node are searched when they are asked
/// for, and kept.
class LeastLatencies {
 public:
  /// \param graph outlives it.
  explicit LeastLatencies(const NetworkGraph& graph) : graph_(graph) {}

  /// Steps on the links of the fastest path on which no host forwards; no_step if there is none. From a terminal to
  /// itself: over its router and back.
  Step between(NodeId from, NodeId to);

 private:
  std::vector<Step> searched_from(NodeId from) const;

  const NetworkGraph& graph_;
  std::map<NodeId, std::vector<Step>> from_;  ///< [node]
};

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Faults of a network of links: its dead links, routers, processors and channels (docs/faults.md).
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <starloom/topology/cables.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Dead hardware: it is alive again when it has been repaired as often as it was killed. Nodes and ports outside the
/// network are not checked.
class Faults {
 public:
  /// None.
  explicit Faults(NetworkGraph graph);

  /// The link of an out-port carries no flit, and its side wires no words. A terminal has no router, so its processor
  /// is dead if one of its links is.
  void kill_link(LinkEnd link);
  void kill_cable(const Cable& cable);
  /// With its processor, and all its links.
  void kill_router(NodeId node);
  /// The processor of a node sends and consumes no packet; its router works.
  void kill_processor(NodeId node) { ++dead_processors_[static_cast<std::size_t>(node)]; }
  void repair_link(LinkEnd link);
  void repair_cable(const Cable& cable);
  void repair_router(NodeId node);
  void repair_processor(NodeId node) { --dead_processors_[static_cast<std::size_t>(node)]; }
  /// No packet gets this virtual channel of the link of an out-port.
  void kill_channel(LinkEnd link, int channel) { dead_channels_.insert({link.node, link.port, channel}); }
  /// The buffer behind a channel of the link of an out-port has fewer places.
  void remove_places(LinkEnd link, int channel, int places) { dead_places_[{link.node, link.port, channel}] = places; }

  /// The network with all its hardware.
  const NetworkGraph& graph() const { return graph_; }
  bool link_is_dead(NodeId node, Port port) const { return dead_links_[graph_.index(node, port)] > 0; }
  /// None of its links is alive.
  bool cable_is_dead(const Cable& cable) const {
    return link_is_dead(cable.lower.node, cable.lower.port) &&
           (!cable.upper.connected() || link_is_dead(cable.upper.node, cable.upper.port));
  }
  bool router_is_dead(NodeId node) const { return dead_routers_[static_cast<std::size_t>(node)] > 0; }
  bool processor_is_dead(NodeId node) const { return dead_processors_[static_cast<std::size_t>(node)] > 0; }
  /// The same dead channels and places, and no other dead hardware.
  Faults of_channels() const;
  bool has_dead_channels() const { return !dead_channels_.empty(); }
  bool channel_is_dead(NodeId node, Port port, int channel) const {
    return has_dead_channels() && dead_channels_.count({node, port, channel}) > 0;
  }
  /// By node, out-port and channel, the places of the buffer behind that are dead.
  const std::map<std::tuple<NodeId, Port, int>, int>& dead_places() const { return dead_places_; }
  int dead_places(NodeId node, Port port, int channel) const {
    const auto found = dead_places_.find({node, port, channel});
    return found == dead_places_.end() ? 0 : found->second;
  }
  /// True if no packet goes through the node: its router is dead, or it has none and its processor is dead.
  bool node_is_dead(NodeId node) const {
    return router_is_dead(node) || (graph_.is_terminal(node) && processor_is_dead(node));
  }

  /// True if anything is dead.
  bool any() const;
  std::int64_t links() const { return links_; }  ///< dead ones, those of dead routers included
  std::int64_t cables() const;                   ///< dead ones
  std::int64_t routers() const;                  ///< dead ones
  std::int64_t processors() const;               ///< living ones

  /// The network without its dead links: the same nodes, ports, names and numbers.
  NetworkGraph left() const { return graph_.without_links(dead_links()); }
  /// The same without links whose partner is dead.
  NetworkGraph left_both_ways() const;

 private:
  using Count = std::int32_t;  ///< of the faults that kill something

  void count_link(LinkEnd link, Count faults);
  void count_router(NodeId node, Count faults);
  std::vector<bool> dead_links() const;

  NetworkGraph graph_;
  std::vector<Count> dead_links_;                      ///< [NetworkGraph::index]
  std::vector<Count> dead_routers_, dead_processors_;  ///< [node]
  std::set<std::tuple<NodeId, Port, int>> dead_channels_;
  std::map<std::tuple<NodeId, Port, int>, int> dead_places_;
  std::int64_t links_ = 0;
};

/// `count` of the cables, drawn without replacement. With a greater count, the same ones and more.
/// \param count at most their number.
std::vector<Cable> random_cables(const std::vector<Cable>& cables, std::int64_t count, std::uint64_t seed);
/// Each cable with this probability.
std::vector<Cable> random_cables(const std::vector<Cable>& cables, double rate, std::uint64_t seed);
/// The same of the nodes that have a router.
std::vector<NodeId> random_routers(const NetworkGraph& graph, std::int64_t count, std::uint64_t seed);
std::vector<NodeId> random_routers(const NetworkGraph& graph, double rate, std::uint64_t seed);

/// The parts into which a network falls.
struct Parts {
  std::vector<std::int32_t> of_node;  ///< [node] its part, from 0 on; -1: the node is dead
  std::int32_t count = 0;
};
/// The nodes of a part reach one another, over nodes that forward. \param left `faults.left()`
Parts parts_of(const Faults& faults, const NetworkGraph& left);
/// The cables, alive both ways, that alone join two parts of the network, in the order of `cables_of`.
std::vector<Cable> bridges_of(const NetworkGraph& left);

}  // namespace starloom

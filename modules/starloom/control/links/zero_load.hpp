// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Latencies of packets that meet no other packet, exactly, over ways that are known before a run.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The way of a packet: its links in order, numbered as by NetworkGraph::index.
struct PacketWay {
  NodeId source = no_node;
  NodeId destination = no_node;
  std::vector<std::size_t> links{};
};

/// The way that the algorithm offers first to a packet that has drawn a number: the only one where ways are fixed, one of
/// equally long ones where heads choose on grids. False where the algorithm tells none before a run, or it never ends.
bool offered_way(const NetworkGraph& graph, const Algorithm& algorithm, const Packet& packet, std::uint32_t drawn,
                 PacketWay& way);

/// Of one network and algorithm. With virtual channels a flit leaves a router when it is readable there, the flit before it
/// has left, the interval of the link is over and a place behind the link is free (docs/algorithms/vc-wormhole.md, "The
/// pipeline"), so that small buffers and slow links stretch a packet; with the other models each link takes its latency.
class ZeroLoad {
 public:
  /// The algorithm outlives it.
  ZeroLoad(const NetworkGraph& graph, const Algorithm& algorithm);

  /// Steps from the creation of a packet to the arrival of its last flit.
  Step latency(const PacketWay& way, std::int32_t flits) const;
  /// [i] The same of a packet of i + 1 flits, up to `longest` flits.
  std::vector<Step> latencies(const PacketWay& way, std::int32_t longest) const;
  /// Over the way that it is offered, or the least possible where none is known.
  Step latency(const Packet& packet, std::uint32_t drawn) const;
  /// No packet is faster, on whatever way.
  Step least(NodeId source, NodeId destination, std::int32_t flits) const;

  /// No packet is stretched by small buffers or slow links: then a latency is that of a head, `head_start` and the
  /// `head_steps` of the links, and a step for each further flit.
  bool never_stretches() const { return never_stretches_; }
  Step head_start() const;
  Step head_steps(std::size_t link) const;

 private:
  template <class See>
  void each_arrival(const PacketWay& way, std::int32_t flits, See&& see) const;
  bool routers() const { return algorithm_.declaration().storage == StorageModel::virtual_channels; }
  NodeId node_of(std::size_t link) const {
    return static_cast<NodeId>(link / static_cast<std::size_t>(graph_.ports()));
  }
  Port port_of(std::size_t link) const { return static_cast<Port>(link % static_cast<std::size_t>(graph_.ports())); }
  std::int32_t latency_of(std::size_t link) const { return graph_.latency(node_of(link), port_of(link)); }
  std::int32_t interval_of(std::size_t link) const { return graph_.interval(node_of(link), port_of(link)); }
  bool of_terminal(std::size_t link) const {
    return graph_.is_terminal(node_of(link)) || graph_.is_terminal(graph_.far_end(node_of(link), port_of(link)).node);
  }

  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  std::int32_t least_latency_;
  bool never_stretches_;
};

}  // namespace starloom::links

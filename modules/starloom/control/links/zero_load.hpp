// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The exact latency of a packet that meets no other packet, over a path that is known before the run.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The latencies in one network with one algorithm. With virtual channels a flit leaves a router when it is readable
/// there, the flit before it has left, the interval of the link is over, and the buffer behind the link has a free
/// slot (docs/algorithms/vc-wormhole.md, "Timing"). Small buffers and slow links stretch a packet. With the other
/// storage models each link takes its latency.
class ZeroLoad {
 public:
  /// \param algorithm outlives the object.
  ZeroLoad(const NetworkGraph& graph, const Algorithm& algorithm);

  /// Steps from the creation of a packet to the arrival of its last flit. \param created its step, which matters if
  /// nodes have clocks.
  Step latency(const PacketPath& path, std::int32_t flits, Step created = 0) const;
  /// [i] The same of a packet of i + 1 flits, up to `longest` flits.
  std::vector<Step> latencies(const PacketPath& path, std::int32_t longest) const;
  /// The same over the path that the packet is offered first; `least` if no path is known before the run.
  Step latency(const Packet& packet, std::uint32_t random_choice) const;
  /// A lower bound over all paths from the source to the destination.
  Step least(NodeId source, NodeId destination, std::int32_t flits) const;

  /// True if small buffers and slow links stretch no packet, all routers are alike, and nodes have no clocks. Then a
  /// latency is `head_start`, the `head_steps` of all links, and `flit_steps` for each flit behind the head; else it is
  /// at least that.
  bool never_stretches() const { return never_stretches_; }
  Step head_start() const;
  Step head_steps(std::size_t link) const;
  Step flit_steps() const { return flit_steps_; }

 private:
  struct Passage;
  class LinkOfPath;
  template <class Visit>
  void each_arrival(const PacketPath& path, std::int32_t flits, Step created, Visit&& visit) const;
  bool routers() const { return algorithm_.declaration().storage == StorageModel::virtual_channels; }
  NodeId node_of(std::size_t link) const {
    return static_cast<NodeId>(link / static_cast<std::size_t>(graph_.ports()));
  }
  Port port_of(std::size_t link) const { return static_cast<Port>(link % static_cast<std::size_t>(graph_.ports())); }
  std::int32_t latency_of(std::size_t link) const { return graph_.latency(node_of(link), port_of(link)); }
  std::int32_t wire_latency_of(std::size_t link) const { return graph_.wire_latency(node_of(link), port_of(link)); }
  std::int32_t interval_of(std::size_t link) const { return graph_.interval(node_of(link), port_of(link)); }
  bool of_terminal(std::size_t link) const {
    return graph_.is_terminal(node_of(link)) || graph_.is_terminal(graph_.far_end(node_of(link), port_of(link)).node);
  }

  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  std::int32_t least_latency_;
  std::int32_t least_period_;  ///< of a clock
  int least_to_link_;          ///< of a head in a router
  int flit_steps_;
  bool never_stretches_;
};

}  // namespace starloom::links

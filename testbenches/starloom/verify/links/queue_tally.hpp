// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `queue` of `result.json`, recomputed from the rows.
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/multicast.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/referee/links/occupancy.hpp>
#include <starloom/router/timeline.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The greatest number of packets in a node at the end of a step, for store-and-forward: a packet counts in its
/// source from its creation (or, if unsent packets do not count, from the step in which it leaves the memory), and in
/// every later node except its destination from the step before it is readable there, until it hops on or is lost. That
/// is `queue` of result.json if no packet is stored on its path and every one is consumed as soon as it is readable at
/// its destination; for other traces there is no result, because rows do not show which packets an algorithm is ready
/// to consume.
class QueueTally {
 public:
  /// `packets` outlives the tally and is sorted by creation. All nodes and ports of packets and rows are the graph's.
  QueueTally(const NetworkGraph& graph, const std::vector<Packet>& packets, bool count_unsent = true, Losses lost = {});

  /// The rows of a step, which satisfy the rules of the model; steps ascend.
  void rows(const std::vector<TraceRow>& of_one_step);
  /// The maximum up to the end of the step of the last row, if the rows determine it.
  std::optional<QueueMaximum> finish();

 private:
  /// Makes `step` the current one; packets created up to then count from their own steps on.
  void open(Step step);
  void create(std::size_t packet);
  void drop(const TraceRow& row);

  const std::vector<Packet>& packets_;
  const Losses lost_;
  const NetworkGraph graph_;
  const bool at_once_;  ///< all links have latency 1
  const bool count_unsent_;
  Occupancy present_;                       ///< by node
  std::vector<Step> readable_;              ///< [packet] the step in which it is readable in its current node
  std::vector<NodeId> next_;                ///< [packet] that node
  std::multimap<Step, NodeId> lost_later_;  ///< packets that count until a step, in which they are lost
  std::size_t created_ = 0;                 ///< number of packets that count already
  std::vector<bool> at_home_;               ///< [packet] it was sent to its destination and is not consumed
  Step last_ = no_step;                     ///< with a row
  bool determined_ = true;
  QueueMaximum maximum_;
};

/// The same for routers with virtual channels: packets with at least one flit in the buffers of a node.
class RouterQueueTally {
 public:
  /// The graph has all nodes and ports of the rows. \param trees of packets to several destinations; null: none.
  RouterQueueTally(const NetworkGraph& graph, const router::Pipelines& pipelines, const std::vector<Packet>& packets,
                   const std::vector<MulticastTree>* trees)
      : timeline_(graph, pipelines),
        packets_(packets),
        trees_(trees),
        count_(static_cast<std::size_t>(graph.nodes())) {}

  /// The rows of a step; steps ascend.
  void rows(const std::vector<TraceRow>& of_one_step);
  /// The maximum up to the end of step `last`: flits that leave a buffer later than `Timeline::longest_delay` steps
  /// before the last row may have no row.
  QueueMaximum finish(Step last);
  Step longest_delay() const { return timeline_.longest_delay(); }

 private:
  struct Change {
    NodeId node;
    PacketId packet;
    std::int32_t flits;
  };
  /// Copies of a flit in a buffer that have not left, and the last step in which one has.
  struct Copies {
    int left;
    Step last;
  };
  void settle(Step last);
  /// The step in which a flit leaves its buffer for good; no_step: there are copies of it to be sent.
  Step leaves(const TraceRow& row, NodeId node, Step step);

  router::Timeline timeline_;
  const std::vector<Packet>& packets_;
  const std::vector<MulticastTree>* trees_;
  std::map<std::tuple<NodeId, PacketId, std::int32_t>, Copies> copies_;  ///< [node, packet, flit]
  std::map<Step, std::vector<Change>> changes_;                          ///< of steps that are not complete
  std::unordered_map<std::uint64_t, std::int32_t> flits_;  ///< by node and packet, those above 0; never iterated
  std::vector<std::int32_t> count_;                        ///< [node] packets
  QueueMaximum maximum_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The processors of a network with subnets: their queues, and the packets at the fronts of these
/// (docs/subnets.md).
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/core/source_memory.hpp>

namespace starloom::router {

/// A processor has a link into each subnet. The first packet of each of its queues is at the link of its subnet; the
/// one behind it takes its place in the step after its tail has left, whatever its subnet. So the routers of a
/// processor read memories of their own in a step, and may run in any order.
class SubnetSources {
 public:
  /// \param processors their memory, without a packet.
  SubnetSources(const SourceMemory& processors, int subnets)
      : fronts_(static_cast<std::size_t>(subnets), processors), of_queue_(processors.numbers()) {}

  /// The first packets of the queues of all processors, as the routers of a subnet see them. Queues have the numbers
  /// that they have in the memory of the processors.
  SourceMemory& fronts(int subnet) { return fronts_[static_cast<std::size_t>(subnet)]; }
  const SourceMemory& fronts(int subnet) const { return fronts_[static_cast<std::size_t>(subnet)]; }
  /// The first packet of a queue, or no_packet.
  PacketId front(NodeId queue) const { return of_queue_[static_cast<std::size_t>(queue)].front; }
  /// Its number among the packets of its processor, in the order in which they became first in their queues.
  std::int64_t sequence(NodeId queue) const { return of_queue_[static_cast<std::size_t>(queue)].sequence; }

  /// Before a step: a packet has come to a queue, or the first one has left.
  void added(NodeId queue) { changed_.push_back(queue); }
  void left(NodeId queue) {
    of_queue_[static_cast<std::size_t>(queue)].front = no_packet;
    changed_.push_back(queue);
  }
  /// Then: packets take the free places at the fronts of the queues that have changed.
  /// \param processors the queues without their first packets. \param subnet_of, node_of of a packet. \param moved is
  /// called with each packet.
  template <class SubnetOf, class NodeOf, class Moved>
  void advance(SourceMemory& processors, const SubnetOf& subnet_of, const NodeOf& node_of, const Moved& moved) {
    std::sort(changed_.begin(), changed_.end());
    for (const NodeId queue : std::exchange(changed_, {})) {
      OfQueue& of_queue = of_queue_[static_cast<std::size_t>(queue)];
      if (of_queue.front != no_packet || processors.packets(queue) == 0) continue;
      of_queue.front = processors.take_packet(queue);
      const auto node = static_cast<std::size_t>(node_of(of_queue.front));
      if (node >= come_.size()) come_.resize(node + 1, 0);
      of_queue.sequence = come_[node]++;
      fronts(subnet_of(of_queue.front)).add(queue, of_queue.front);
      moved(of_queue.front);
    }
  }

  void remove_before(PacketId first) {
    for (SourceMemory& memory : fronts_) memory.remove_before(first);
  }

 private:
  struct OfQueue {
    PacketId front = no_packet;
    std::int64_t sequence = 0;
  };
  std::vector<SourceMemory> fronts_;  ///< [subnet]
  std::vector<std::int64_t> come_;    ///< [node] packets that have become first in one of its queues
  std::vector<OfQueue> of_queue_;     ///< [queue]
  std::vector<NodeId> changed_;       ///< queues
};

}  // namespace starloom::router

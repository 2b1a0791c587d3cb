// SPDX-License-Identifier: Apache-2.0
/// \file The speed that is to be had without SystemC: a hand-written loop over all nodes.
#include <utility>

#include "bench/child.hpp"
#include "bench/workload.hpp"

namespace starloom::bench {
namespace {

/// 16 bytes, as much as a link must carry for the tally.
struct Item {
  PacketId packet = no_packet;
  std::int16_t row = 0, column = 0;
  Step created = 0;
};

/// First in, first out, in a ring that grows.
class Queue {
 public:
  bool empty() const { return head_ == tail_; }
  void push(Item item) {
    if (tail_ - head_ == ring_.size()) grow();
    ring_[tail_++ & (ring_.size() - 1)] = item;
  }
  Item pop() { return ring_[head_++ & (ring_.size() - 1)]; }

 private:
  void grow() {
    std::vector<Item> larger(ring_.empty() ? 4 : ring_.size() * 2);
    for (std::uint32_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = ring_[i & (ring_.size() - 1)];
    ring_.swap(larger);
  }
  std::vector<Item> ring_;
  std::uint32_t head_ = 0, tail_ = 0;
};

}  // namespace

Timed run_loop(const Workload& workload) {
  Timed timed;
  const double begin = cpu_seconds();
  const std::int32_t n = workload.side;
  const std::int32_t nodes = n * n;
  std::vector<Queue> queues(static_cast<std::size_t>(nodes) * 4);
  std::vector<Item> slots[2] = {std::vector<Item>(queues.size()), std::vector<Item>(queues.size())};
  const std::int32_t step_to[4] = {-n, 1, n, -1};
  timed.build_seconds = cpu_seconds() - begin;

  const double start = cpu_seconds();
  std::size_t next = 0;
  for (Step step = 0; step < workload.steps; ++step) {
    std::vector<Item>& in = slots[step & 1];
    std::vector<Item>& out = slots[(step & 1) ^ 1];
    for (std::int32_t row = 0, node = 0; row < n; ++row)
      for (std::int32_t column = 0; column < n; ++column, ++node) {
        Queue* queue = &queues[static_cast<std::size_t>(node) * 4];
        const auto take = [&](Item item) {
          if (item.column != column) queue[item.column > column ? 1 : 3].push(item);
          else if (item.row != row) queue[item.row > row ? 2 : 0].push(item);
          else timed.tally.deliver(item.packet, item.created, step);
        };
        Item arrived[5];
        int count = 0;
        for (int port = 0; port < 4; ++port) {
          Item& slot = in[static_cast<std::size_t>(node) * 4 + static_cast<std::size_t>(port)];
          if (slot.packet != no_packet) arrived[count++] = slot;
          slot.packet = no_packet;
        }
        if (next < workload.packets.size() && workload.packets[next].created == step &&
            workload.packets[next].source == node) {
          const NodeId to = workload.packets[next].destination;
          arrived[count++] = {static_cast<PacketId>(next), static_cast<std::int16_t>(to / n),
                              static_cast<std::int16_t>(to % n), step};
          ++next;
        }
        for (int i = 1; i < count; ++i)  // ties of one step: lower packet number
          for (int j = i; j > 0 && arrived[j].packet < arrived[j - 1].packet; --j)
            std::swap(arrived[j], arrived[j - 1]);
        for (int i = 0; i < count; ++i) take(arrived[i]);
        for (int port = 0; port < 4; ++port) {
          if (queue[port].empty()) continue;
          out[static_cast<std::size_t>(node + step_to[port]) * 4 + static_cast<std::size_t>(port ^ 2)] =
              queue[port].pop();
          ++timed.tally.hops;
        }
      }
  }
  timed.seconds = cpu_seconds() - start;
  return timed;
}

}  // namespace starloom::bench

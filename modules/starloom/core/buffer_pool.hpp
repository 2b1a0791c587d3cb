// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Storage of all flit buffers of a network: ordered queues, with slots from one pool.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/core/flit.hpp>

namespace starloom {

/// Called for each flit that enters or leaves one buffer (by a subclassed FlitBuffer module, a test).
class BufferObserver {
 public:
  virtual ~BufferObserver() = default;
  virtual void pushed(const Flit& flit) = 0;
  virtual void popped(const Flit& flit) = 0;
};

/// `count` buffers, each ordered by (rank, packet, flit index): the front has the lowest rank, ties go to the lower
/// packet number. A queue discipline is a choice of rank; first in, first out is rank = step of arrival. A buffer is
/// a list while it is short or flits are pushed at its end only: a push there and a pop of the front take constant
/// time. When a flit is pushed elsewhere into a long buffer, the buffer becomes a heap until it is empty: a push or pop
/// then takes logarithmic time, and reads adjacent memory. No memory is allocated after the pool has grown to the
/// greatest number of flits that are stored at once.
class BufferPool {
 public:
  explicit BufferPool(std::size_t count = 0) : buffers_(count) {}

  /// The order of a buffer: whether a flit goes before another one.
  static bool before(std::int64_t rank, const Flit& flit, std::int64_t other_rank, const Flit& other) {
    if (rank != other_rank) return rank < other_rank;
    if (flit.packet != other.packet) return flit.packet < other.packet;
    return flit.index < other.index;
  }

  std::size_t count() const { return buffers_.size(); }
  std::int32_t size(std::size_t buffer) const { return buffers_[buffer].size; }
  bool empty(std::size_t buffer) const { return buffers_[buffer].size == 0; }
  const Flit& front(std::size_t buffer) const { return slots_[buffers_[buffer].head].flit; }

  void push(std::size_t buffer, const Flit& flit, std::int64_t rank) {
    const Slot slot = take_slot();
    Entry& entry = slots_[slot];
    entry.flit = flit;
    entry.rank = rank;
    link(buffer, slot);
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->pushed(flit);
  }

  /// Removes the front; the buffer is not empty.
  Flit pop(std::size_t buffer) {
    Buffer& b = buffers_[buffer];
    const Slot slot = b.head;
    if (b.is_heap()) {
      leave_heap(b, heaps_[buffer]);
    } else {
      b.head = slots_[slot].next;
      if (b.head == none) b.tail = none;
      --b.size;
    }
    slots_[slot].next = free_;
    free_ = slot;
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->popped(slots_[slot].flit);
    return slots_[slot].flit;
  }

  /// The flits of a buffer, from front to back. For display and tests, because a heap is sorted by each call.
  std::vector<Flit> flits(std::size_t buffer) const {
    std::vector<Flit> list;
    if (buffers_[buffer].is_heap()) {
      std::vector<Key> keys = heaps_[buffer];
      std::sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) { return before(a, b); });
      for (const Key& key : keys) list.push_back(slots_[key.slot].flit);
    } else {
      for (Slot at = buffers_[buffer].head; at != none; at = slots_[at].next) list.push_back(slots_[at].flit);
    }
    return list;
  }

  /// Calls `observer` for all pushes and pops of one buffer; null: no observer.
  void observe(std::size_t buffer, BufferObserver* observer) {
    if (observers_.empty()) observers_.resize(buffers_.size(), nullptr);
    observers_[buffer] = observer;
  }

 private:
  using Slot = std::int32_t;
  static constexpr Slot none = -1;
  static constexpr std::int32_t long_size = 32;  ///< a list of this length becomes a heap instead of being searched
  static constexpr std::size_t arity = 4;        ///< of the heaps: the children of a key fill a cache line

  struct Buffer {
    Slot head = none;  ///< the front
    Slot tail = none;  ///< of a list; none: empty or a heap
    std::int32_t size = 0;
    bool is_heap() const { return tail == none && size != 0; }
  };
  struct Entry {
    Flit flit;
    std::int64_t rank = 0;
    Slot next = none;
  };
  /// The key of a flit in a heap.
  struct Key {
    std::int64_t rank;
    PacketId packet;
    Slot slot;
  };

  static bool before(const Entry& a, const Entry& b) { return before(a.rank, a.flit, b.rank, b.flit); }
  bool before(const Key& a, const Key& b) const {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.packet != b.packet) return a.packet < b.packet;
    return slots_[a.slot].flit.index < slots_[b.slot].flit.index;
  }
  Key key(Slot slot) const { return {slots_[slot].rank, slots_[slot].flit.packet, slot}; }

  Slot take_slot() {
    if (free_ == none) {
      slots_.emplace_back();
      return static_cast<Slot>(slots_.size() - 1);
    }
    const Slot slot = free_;
    free_ = slots_[slot].next;
    return slot;
  }

  void link(std::size_t buffer, Slot slot) {
    Buffer& b = buffers_[buffer];
    if (b.is_heap()) return enter_heap(b, heaps_[buffer], slot);
    Entry& entry = slots_[slot];
    Slot previous = b.tail;
    if (previous != none && before(entry, slots_[previous])) {
      if (b.size >= long_size) return make_heap(buffer, slot);
      previous = walk(b, entry);
    }
    Slot& from = previous == none ? b.head : slots_[previous].next;
    entry.next = from;
    from = slot;
    if (entry.next == none) b.tail = slot;
    ++b.size;
  }

  /// The last slot of a list with a flit that goes before `entry`; `none` if there is none. It is not the tail.
  Slot walk(const Buffer& b, const Entry& entry) const {
    Slot from = none;
    for (Slot at = b.head; !before(entry, slots_[at]); at = slots_[at].next) from = at;
    return from;
  }

  /// Turns a long list into a heap, and pushes the flit. (A sorted list is a heap already.)
  [[gnu::noinline]] void make_heap(std::size_t buffer, Slot slot) {
    Buffer& b = buffers_[buffer];
    if (heaps_.empty()) heaps_.resize(buffers_.size());
    for (Slot at = b.head; at != none; at = slots_[at].next) heaps_[buffer].push_back(key(at));
    b.tail = none;
    enter_heap(b, heaps_[buffer], slot);
  }

  [[gnu::noinline]] void enter_heap(Buffer& b, std::vector<Key>& heap, Slot slot) {
    const Key own = key(slot);
    std::size_t at = heap.size();
    heap.push_back(own);
    for (; at != 0 && before(own, heap[(at - 1) / arity]); at = (at - 1) / arity) heap[at] = heap[(at - 1) / arity];
    heap[at] = own;
    b.head = heap.front().slot;
    ++b.size;
  }

  /// Removes the front.
  [[gnu::noinline]] void leave_heap(Buffer& b, std::vector<Key>& heap) {
    const Key last = heap.back();
    heap.pop_back();
    --b.size;
    if (heap.empty()) return static_cast<void>(b.head = none);
    std::size_t at = 0;
    for (std::size_t first = 1; first < heap.size(); first = at * arity + 1) {
      std::size_t best = first;
      const std::size_t end = std::min(first + arity, heap.size());
      for (std::size_t other = first + 1; other < end; ++other)
        if (before(heap[other], heap[best])) best = other;
      if (!before(heap[best], last)) break;
      heap[at] = heap[best];
      at = best;
    }
    heap[at] = last;
    b.head = heap.front().slot;
  }

  std::vector<Buffer> buffers_;
  std::vector<Entry> slots_;
  std::vector<std::vector<Key>> heaps_;     ///< [buffer]; empty until a buffer becomes a heap
  std::vector<BufferObserver*> observers_;  ///< [buffer]; empty until a buffer has an observer
  Slot free_ = none;
};

}  // namespace starloom

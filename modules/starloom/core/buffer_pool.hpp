// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Storage of all flit buffers of a network: ordered queues whose places come from one pool.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/core/flit.hpp>

namespace starloom {

/// Sees what enters and leaves one buffer (a subclassed FlitBuffer module, a test).
class BufferObserver {
 public:
  virtual ~BufferObserver() = default;
  virtual void pushed(const Flit& flit) = 0;
  virtual void popped(const Flit& flit) = 0;
};

/// `count` buffers, each ordered by (rank, packet, flit index): the front has the lowest rank, ties go to the lower
/// packet number. A queue discipline is a choice of rank; first in, first out is rank = step of arrival.
/// A buffer is a list while it is short or flits are pushed at its end: pushing there and popping the front take constant
/// time. A long one into which a flit is pushed elsewhere is a heap until it is empty: what lies together in memory is
/// looked at together, and time grows with the logarithm of what is in the buffer. No memory is allocated once all have
/// grown to the greatest number of flits stored at once.
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
  const Flit& front(std::size_t buffer) const { return places_[buffers_[buffer].head].flit; }

  void push(std::size_t buffer, const Flit& flit, std::int64_t rank) {
    const Place place = take_place();
    Entry& entry = places_[place];
    entry.flit = flit;
    entry.rank = rank;
    link(buffer, place);
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->pushed(flit);
  }

  /// Removes the front; the buffer is not empty.
  Flit pop(std::size_t buffer) {
    Buffer& b = buffers_[buffer];
    const Place place = b.head;
    if (b.is_heap()) {
      leave_heap(b, heaps_[buffer]);
    } else {
      b.head = places_[place].next;
      if (b.head == none) b.tail = none;
      --b.size;
    }
    places_[place].next = free_;
    free_ = place;
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->popped(places_[place].flit);
    return places_[place].flit;
  }

  /// What is in a buffer, from front to back. For people: a heap is sorted for it.
  std::vector<Flit> flits(std::size_t buffer) const {
    std::vector<Flit> list;
    if (buffers_[buffer].is_heap()) {
      std::vector<Key> keys = heaps_[buffer];
      std::sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) { return before(a, b); });
      for (const Key& key : keys) list.push_back(places_[key.place].flit);
    } else {
      for (Place at = buffers_[buffer].head; at != none; at = places_[at].next) list.push_back(places_[at].flit);
    }
    return list;
  }

  /// Shows all pushes and pops of one buffer to `observer` (null: nobody).
  void observe(std::size_t buffer, BufferObserver* observer) {
    if (observers_.empty()) observers_.resize(buffers_.size(), nullptr);
    observers_[buffer] = observer;
  }

 private:
  using Place = std::int32_t;
  static constexpr Place none = -1;
  static constexpr std::int32_t long_size = 32;  ///< a list of so many flits is not walked
  static constexpr std::size_t arity = 4;        ///< of the heaps: the keys below one fill a line of the cache

  struct Buffer {
    Place head = none;  ///< the front
    Place tail = none;  ///< of a list; none: empty or a heap
    std::int32_t size = 0;
    bool is_heap() const { return tail == none && size != 0; }
  };
  struct Entry {
    Flit flit;
    std::int64_t rank = 0;
    Place next = none;
  };
  /// What a heap compares.
  struct Key {
    std::int64_t rank;
    PacketId packet;
    Place place;
  };

  static bool before(const Entry& a, const Entry& b) { return before(a.rank, a.flit, b.rank, b.flit); }
  bool before(const Key& a, const Key& b) const {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.packet != b.packet) return a.packet < b.packet;
    return places_[a.place].flit.index < places_[b.place].flit.index;
  }
  Key key(Place place) const { return {places_[place].rank, places_[place].flit.packet, place}; }

  Place take_place() {
    if (free_ == none) {
      places_.emplace_back();
      return static_cast<Place>(places_.size() - 1);
    }
    const Place place = free_;
    free_ = places_[place].next;
    return place;
  }

  void link(std::size_t buffer, Place place) {
    Buffer& b = buffers_[buffer];
    if (b.is_heap()) return enter_heap(b, heaps_[buffer], place);
    Entry& entry = places_[place];
    Place previous = b.tail;
    if (previous != none && before(entry, places_[previous])) {
      if (b.size >= long_size) return make_heap(buffer, place);
      previous = walk(b, entry);
    }
    Place& from = previous == none ? b.head : places_[previous].next;
    entry.next = from;
    from = place;
    if (entry.next == none) b.tail = place;
    ++b.size;
  }

  /// The last place of a list whose flit goes before `entry`, `none` if there is none. Not the last of the list.
  Place walk(const Buffer& b, const Entry& entry) const {
    Place from = none;
    for (Place at = b.head; !before(entry, places_[at]); at = places_[at].next) from = at;
    return from;
  }

  /// A long list becomes a heap, into which the flit is pushed. (What is in order is a heap.)
  [[gnu::noinline]] void make_heap(std::size_t buffer, Place place) {
    Buffer& b = buffers_[buffer];
    if (heaps_.empty()) heaps_.resize(buffers_.size());
    for (Place at = b.head; at != none; at = places_[at].next) heaps_[buffer].push_back(key(at));
    b.tail = none;
    enter_heap(b, heaps_[buffer], place);
  }

  [[gnu::noinline]] void enter_heap(Buffer& b, std::vector<Key>& heap, Place place) {
    const Key own = key(place);
    std::size_t at = heap.size();
    heap.push_back(own);
    for (; at != 0 && before(own, heap[(at - 1) / arity]); at = (at - 1) / arity) heap[at] = heap[(at - 1) / arity];
    heap[at] = own;
    b.head = heap.front().place;
    ++b.size;
  }

  /// The front leaves.
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
    b.head = heap.front().place;
  }

  std::vector<Buffer> buffers_;
  std::vector<Entry> places_;
  std::vector<std::vector<Key>> heaps_;     ///< [buffer]; empty until the first
  std::vector<BufferObserver*> observers_;  ///< empty until somebody observes
  Place free_ = none;
};

}  // namespace starloom

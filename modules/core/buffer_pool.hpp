#pragma once
/// \file Storage of all flit buffers of a network: ordered queues whose places come from one pool.
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
/// Pushing at the end and popping the front take constant time; no memory is allocated once the pool has grown to the
/// greatest number of flits stored at once.
class BufferPool {
 public:
  using Place = std::int32_t;
  static constexpr Place none = -1;

  explicit BufferPool(std::size_t count = 0) : buffers_(count) {}

  std::size_t count() const { return buffers_.size(); }
  std::int32_t size(std::size_t buffer) const { return buffers_[buffer].size; }
  bool empty(std::size_t buffer) const { return buffers_[buffer].size == 0; }
  const Flit& front(std::size_t buffer) const { return places_[buffers_[buffer].head].flit; }

  void push(std::size_t buffer, const Flit& flit, std::int64_t rank) {
    const Place place = take_place();
    Entry& entry = places_[place];
    entry.flit = flit;
    entry.rank = rank;
    link(buffers_[buffer], place);
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->pushed(flit);
  }

  /// Removes the front; the buffer is not empty.
  Flit pop(std::size_t buffer) { return take(buffer, none); }

  /// Walk: `for (p = first(b); p != none; p = next(p)) flit(p)`.
  Place first(std::size_t buffer) const { return buffers_[buffer].head; }
  Place next(Place place) const { return places_[place].next; }
  const Flit& flit(Place place) const { return places_[place].flit; }

  /// Removes the flit behind `previous` (`none`: the front).
  Flit take(std::size_t buffer, Place previous) {
    Buffer& b = buffers_[buffer];
    const Place place = previous == none ? b.head : places_[previous].next;
    const Place after = places_[place].next;
    (previous == none ? b.head : places_[previous].next) = after;
    if (after == none) b.tail = previous;
    --b.size;
    places_[place].next = free_;
    free_ = place;
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->popped(places_[place].flit);
    return places_[place].flit;
  }

  /// Fetches the state of a buffer into the cache.
  void prefetch(std::size_t buffer) const { __builtin_prefetch(buffers_.data() + buffer); }

  /// Shows all pushes and pops of one buffer to `observer` (null: nobody).
  void observe(std::size_t buffer, BufferObserver* observer) {
    if (observers_.empty()) observers_.resize(buffers_.size(), nullptr);
    observers_[buffer] = observer;
  }

 private:
  struct Buffer {
    Place head = none;
    Place tail = none;
    std::int32_t size = 0;
  };
  struct Entry {
    Flit flit;
    std::int64_t rank = 0;
    Place next = none;
  };

  static bool before(const Entry& a, const Entry& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.flit.packet != b.flit.packet) return a.flit.packet < b.flit.packet;
    return a.flit.index < b.flit.index;
  }

  Place take_place() {
    if (free_ == none) {
      places_.emplace_back();
      return static_cast<Place>(places_.size() - 1);
    }
    const Place place = free_;
    free_ = places_[place].next;
    return place;
  }

  void link(Buffer& b, Place place) {
    Entry& entry = places_[place];
    Place previous = b.tail;
    if (previous != none && before(entry, places_[previous])) {
      // Not at the end: walk from the front.
      previous = none;
      for (Place at = b.head; !before(entry, places_[at]); at = places_[at].next) previous = at;
    }
    Place& from = previous == none ? b.head : places_[previous].next;
    entry.next = from;
    from = place;
    if (entry.next == none) b.tail = place;
    ++b.size;
  }

  std::vector<Buffer> buffers_;
  std::vector<Entry> places_;
  std::vector<BufferObserver*> observers_;  ///< empty until somebody observes
  Place free_ = none;
};

}  // namespace starloom

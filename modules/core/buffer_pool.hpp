#pragma once
/// \file Storage of all flit buffers of a network: ordered queues whose places come from one pool.
#include <array>
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
/// Pushing at the end and popping the front take constant time, pushing elsewhere time that grows with the logarithm of what
/// is in the buffer: a list, and above a long one lanes in which one of 16 flits stands, one of 16 of those, and so on (skip
/// lists: W. Pugh, Communications of the ACM 33(6), 1990). No memory is allocated once the pool has grown to the greatest
/// number of flits stored at once.
class BufferPool {
 public:
  using Place = std::int32_t;
  static constexpr Place none = -1;

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
    if (places_[place].tower != none) leave_lanes(b, place);
    const Place after = places_[place].next;
    (previous == none ? b.head : places_[previous].next) = after;
    if (after == none) b.tail = previous;
    --b.size;
    places_[place].next = free_;
    free_ = place;
    if (!observers_.empty() && observers_[buffer] != nullptr) observers_[buffer]->popped(places_[place].flit);
    return places_[place].flit;
  }

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
    Place lanes = none;  ///< the tower in front of the first flit; none: the buffer has never been long
  };
  struct Entry {
    Flit flit;
    std::int64_t rank = 0;
    Place next = none;
    Place tower = none;  ///< of a flit that stands in lanes
  };
  static constexpr int lanes = 4;
  static constexpr std::int32_t long_size = 32;
  /// [lane] the next place in it. A flit that stands in a lane stands in all below.
  using Tower = std::array<Place, lanes>;

  static bool before(const Entry& a, const Entry& b) { return before(a.rank, a.flit, b.rank, b.flit); }

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
    if (previous != none && before(entry, places_[previous]))
      previous = b.size < long_size ? walk(b, none, entry) : cross_lanes(b, place);
    Place& from = previous == none ? b.head : places_[previous].next;
    entry.next = from;
    from = place;
    if (entry.next == none) b.tail = place;
    ++b.size;
  }

  /// The last place behind `from` (none: the front) whose flit goes before `entry`; `from` if there is none. Not the last
  /// of the buffer.
  Place walk(const Buffer& b, Place from, const Entry& entry) const {
    Place at = from == none ? b.head : places_[from].next;
    for (; !before(entry, places_[at]); at = places_[at].next) from = at;
    return from;
  }

  /// The same from the front, in a long buffer; the flit may get a tower of its own.
  [[gnu::noinline]] Place cross_lanes(Buffer& b, Place place) {
    if (b.lanes == none) b.lanes = take_tower();
    const Entry& entry = places_[place];
    Tower path;  // [lane] the last tower before the flit
    Place tower = b.lanes, from = none;
    for (int lane = lanes - 1; lane >= 0; --lane) {
      for (Place at = towers_[tower][lane]; at != none && !before(entry, places_[at]); at = towers_[tower][lane]) {
        from = at;
        tower = places_[at].tower;
      }
      path[static_cast<std::size_t>(lane)] = tower;
    }
    const Place previous = walk(b, from, entry);
    // One of 16 pushes stands in the first lane, one of 256 in the second: multiples of the golden ratio lie evenly, also
    // those of every k-th push.
    int height = 0;
    for (std::uint32_t word = ++turns_ * 2654435769u; height < lanes && word >> 28 == 0; word <<= 4) ++height;
    if (height == 0) return previous;
    const Place own = take_tower();
    places_[place].tower = own;
    for (int lane = 0; lane < height; ++lane) {
      const Place before_it = path[static_cast<std::size_t>(lane)];
      towers_[own][lane] = towers_[before_it][lane];
      towers_[before_it][lane] = place;
    }
    return previous;
  }

  /// A flit that has a tower leaves its buffer.
  [[gnu::noinline]] void leave_lanes(const Buffer& b, Place place) {
    Entry& entry = places_[place];
    Place tower = b.lanes;
    for (int lane = lanes - 1; lane >= 0; --lane) {
      Place at = towers_[tower][lane];
      for (; at != none && before(places_[at], entry); at = towers_[tower][lane]) tower = places_[at].tower;
      if (at == place) towers_[tower][lane] = towers_[entry.tower][lane];
    }
    free_towers_.push_back(entry.tower);
    entry.tower = none;
  }

  Place take_tower() {
    if (free_towers_.empty()) {
      towers_.emplace_back();
      free_towers_.push_back(static_cast<Place>(towers_.size() - 1));
    }
    const Place tower = free_towers_.back();
    free_towers_.pop_back();
    towers_[tower].fill(none);
    return tower;
  }

  std::vector<Buffer> buffers_;
  std::vector<Entry> places_;
  std::vector<Tower> towers_;
  std::vector<Place> free_towers_;
  std::uint32_t turns_ = 0;                 ///< pushes into the middle of long buffers
  std::vector<BufferObserver*> observers_;  ///< empty until somebody observes
  Place free_ = none;
};

}  // namespace starloom

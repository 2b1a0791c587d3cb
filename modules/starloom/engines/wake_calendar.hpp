// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which nodes run in which step: a mark a node for each step of the near future, a heap for any distance.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <starloom/core/awake.hpp>
#include <starloom/core/ids.hpp>
#include <starloom/support/cache_line.hpp>

namespace starloom::links {

/// A request costs a byte while it is nearer than the ring of marks is long, and a heap entry beyond: requests of a
/// step meet in no word, as they would in a bitmap, so none waits for another; `take` makes a bitmap of them. Idle
/// steps cost nothing: `next` jumps over them. Nodes are named by their places (`Partition`); each part of a network
/// has marks and a heap of its own.
class WakeCalendar {
 public:
  using Bitmap = std::vector<std::uint64_t>;
  using Mark = std::int32_t;  ///< not a char, which compilers take to lie anywhere

  /// `reach`: requests up to this many steps ahead must be cheap (the longest link latency).
  WakeCalendar(std::size_t lanes, std::int32_t reach, std::size_t parts = 1) : far_(parts) {
    std::size_t length = 2;
    while (length <= static_cast<std::size_t>(reach)) length *= 2;
    mask_ = static_cast<Step>(length) - 1;
    taken_.assign((lanes + 63) / 64, 0);
    ring_.assign(length, std::vector<WakeFlag>(64 * taken_.size(), WakeFlag::no));
    // A part writes its marks in every step: no two share a cache line.
    stride_ = length + cache_line / sizeof(Mark);
    any_.assign(parts * stride_, 0);
    last_far_.assign(lanes, no_step);
  }

  /// The ring position of a step; the same for arrivals, so that both share one phase.
  std::size_t phase(Step step) const { return static_cast<std::size_t>(step & mask_); }
  std::size_t phases() const { return ring_.size(); }

  /// The marks of one near step, for many wake-ups in a row.
  struct StepFlags {
    WakeFlag* awake = nullptr;  ///< [place]
    Mark* any = nullptr;
    /// The step takes place, whether or not a node runs in it.
    void mark() const { *any = 1; }
    void wake(NodeId lane) const {
      awake[lane] = WakeFlag::yes;
      *any = 1;
    }
  };
  StepFlags flags(Step step, std::size_t part = 0) {
    return {ring_[phase(step)].data(), &any_[part * stride_ + phase(step)]};
  }

  /// Wakes a node in a step after `now` that is at most `reach` ahead.
  void wake_near(NodeId lane, Step step, std::size_t part = 0) { flags(step, part).wake(lane); }
  /// Wakes a node in any step >= now.
  void wake(NodeId lane, Step now, Step step, std::size_t part = 0) {
    if (step - now <= mask_) return wake_near(lane, step, part);
    // A node that runs before its time asks for the same step again, perhaps in every step until then.
    if (std::exchange(last_far_[static_cast<std::size_t>(lane)], step) != step) far_[part].emplace(step, lane);
  }

  /// The first step >= now in which a node is awake, or `no_step`.
  Step next(Step now) const {
    Step far = no_step;
    for (const Heap& heap : far_)
      if (!heap.empty() && (far == no_step || heap.top().first < far)) far = heap.top().first;
    for (Step step = now; step <= now + mask_ && (far == no_step || step < far); ++step)
      for (std::size_t mark = phase(step); mark < any_.size(); mark += stride_)
        if (any_[mark] != 0) return step;
    return far;
  }

  /// The places awake in `step`, as a bitmap that is the caller's until the next call; call once a step.
  Bitmap& take(Step step) {
    for (std::size_t part = 0; part < far_.size(); ++part) {
      for (Heap& heap = far_[part]; !heap.empty() && heap.top().first <= step; heap.pop())
        wake_near(heap.top().second, step, part);
      any_[part * stride_ + phase(step)] = 0;
    }
    WakeFlag* marks = ring_[phase(step)].data();
    for (std::uint64_t& word : taken_) {
      word = 0;
      for (int lane = 0; lane < 64; lane += 8) word |= eight(marks + lane) << lane;
      if (word != 0) std::fill_n(marks, 64, WakeFlag::no);
      marks += 64;
    }
    return taken_;
  }

 private:
  /// Eight marks as bits.
  static std::uint64_t eight(const WakeFlag* marks) {
    std::uint64_t bytes = 0;
    for (int i = 0; i < 8; ++i) bytes |= static_cast<std::uint64_t>(marks[i]) << 8 * i;
    return bytes * 0x0102040810204080ull >> 56;  // byte i of 0 or 1 comes to lie at bit 56 + i
  }

  using Far = std::pair<Step, NodeId>;
  using Heap = std::priority_queue<Far, std::vector<Far>, std::greater<>>;
  Step mask_;
  std::vector<std::vector<WakeFlag>> ring_;  ///< [phase][place]
  Bitmap taken_;
  std::size_t stride_;
  std::vector<Mark> any_;       ///< [part * stride + phase]
  std::vector<Heap> far_;       ///< [part]
  std::vector<Step> last_far_;  ///< [place] the step of its last entry in the heap
};

}  // namespace starloom::links

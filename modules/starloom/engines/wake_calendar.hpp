// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Wake-ups of nodes: a flag per node for each step of the near future, and a heap for later steps.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/wake_flag.hpp>
#include <starloom/support/cache_line.hpp>

namespace starloom::links {

/// A request for a step within the ring of flags writes one byte; a later one becomes a heap entry. Flags are bytes,
/// not bits, so that two requests for the same step never modify the same word; `take` packs them into a bitmap.
/// `next` skips idle steps at no cost. Nodes are identified by their lanes (`Partition`); each part of a network has
/// flags and a heap of its own.
class WakeCalendar {
 public:
  using Bitmap = std::vector<std::uint64_t>;
  using Mark = std::int32_t;  ///< not a character type, because a pointer to one may alias any object

  /// \param reach requests up to this number of steps ahead use flags (the longest link latency).
  WakeCalendar(std::size_t lanes, std::int32_t reach, std::size_t parts = 1) : far_(parts) {
    std::size_t length = 2;
    while (length <= static_cast<std::size_t>(reach)) length *= 2;
    mask_ = static_cast<Step>(length) - 1;
    taken_.assign((lanes + 63) / 64, 0);
    ring_.assign(length, std::vector<WakeFlag>(64 * taken_.size(), WakeFlag::no));
    // A part writes its marks in every step, so those of two parts share no cache line.
    stride_ = length + cache_line / sizeof(Mark);
    any_.assign(parts * stride_, 0);
    last_far_.assign(lanes, no_step);
  }

  /// The index of a step in the ring. Arrivals use the same index.
  std::size_t phase(Step step) const { return static_cast<std::size_t>(step & mask_); }
  std::size_t phases() const { return ring_.size(); }

  /// The flags of one near step, for several wake-ups in a row.
  struct StepFlags {
    WakeFlag* awake = nullptr;  ///< [lane]
    Mark* any = nullptr;
    /// Marks the step as one that is not skipped, even if no node runs in it.
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
    // A node that runs before the step that it asked for asks again, perhaps in every step until then.
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

  /// The lanes awake in `step`, as a bitmap that the caller may change until the next call. Called once per step.
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
  /// Eight flags as bits.
  static std::uint64_t eight(const WakeFlag* marks) {
    std::uint64_t bytes = 0;
    for (int i = 0; i < 8; ++i) bytes |= static_cast<std::uint64_t>(marks[i]) << 8 * i;
    return bytes * 0x0102040810204080ull >> 56;  // moves byte i, which is 0 or 1, to bit 56 + i
  }

  using Far = std::pair<Step, NodeId>;
  using Heap = std::priority_queue<Far, std::vector<Far>, std::greater<>>;
  Step mask_;
  std::vector<std::vector<WakeFlag>> ring_;  ///< [phase][lane]
  Bitmap taken_;
  std::size_t stride_;
  std::vector<Mark> any_;       ///< [part * stride + phase]
  std::vector<Heap> far_;       ///< [part]
  std::vector<Step> last_far_;  ///< [lane] the step of its last entry in the heap
};

}  // namespace starloom::links

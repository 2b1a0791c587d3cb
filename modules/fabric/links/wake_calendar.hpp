#pragma once
/// \file Which nodes run in which step: bitmaps for the near future, a heap for any distance.
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// A request costs a bit while it is nearer than the ring of bitmaps is long, and a heap entry beyond. Idle steps cost
/// nothing: `next` jumps over them.
class WakeCalendar {
 public:
  using Bitmap = std::vector<std::uint64_t>;
  using Mark = std::int32_t;  ///< not a char, which compilers take to lie anywhere

  /// `reach`: requests up to this many steps ahead must be cheap (the longest link latency).
  WakeCalendar(NodeId nodes, std::int32_t reach) {
    std::size_t length = 2;
    while (length <= static_cast<std::size_t>(reach)) length *= 2;
    mask_ = static_cast<Step>(length) - 1;
    ring_.assign(length, Bitmap((static_cast<std::size_t>(nodes) + 63) / 64, 0));
    any_.assign(length, 0);
    last_far_.assign(static_cast<std::size_t>(nodes), no_step);
  }

  /// The ring position of a step; the same for arrivals, so that both share one phase.
  std::size_t phase(Step step) const { return static_cast<std::size_t>(step & mask_); }
  std::size_t phases() const { return ring_.size(); }

  /// The bitmap of one near step, for many wake-ups in a row.
  struct Lane {
    std::uint64_t* bits = nullptr;
    Mark* any = nullptr;
    /// The step takes place, whether or not a node runs in it.
    void mark() const { *any = 1; }
    void wake(NodeId node) const {
      bits[static_cast<std::size_t>(node) >> 6] |= std::uint64_t{1} << (node & 63);
      *any = 1;
    }
  };
  Lane lane(Step step) { return {ring_[phase(step)].data(), &any_[phase(step)]}; }

  /// Wakes a node in a step after `now` that is at most `reach` ahead.
  void wake_near(NodeId node, Step step) { lane(step).wake(node); }
  /// Wakes a node in any step >= now.
  void wake(NodeId node, Step now, Step step) {
    if (step - now <= mask_) return wake_near(node, step);
    // A node that runs before its time asks for the same step again, perhaps in every step until then.
    if (std::exchange(last_far_[static_cast<std::size_t>(node)], step) != step) far_.emplace(step, node);
  }

  /// The first step >= now in which a node is awake, or `no_step`.
  Step next(Step now) const {
    for (Step step = now; step <= now + mask_; ++step)
      if (any_[phase(step)] != 0) return far_.empty() || far_.top().first > step ? step : far_.top().first;
    return far_.empty() ? no_step : far_.top().first;
  }

  /// The nodes awake in `step`, as a bitmap for the caller to clear word by word; call once a step.
  Bitmap& take(Step step) {
    while (!far_.empty() && far_.top().first <= step) {
      wake_near(far_.top().second, step);
      far_.pop();
    }
    any_[phase(step)] = 0;
    return ring_[phase(step)];
  }

 private:
  using Far = std::pair<Step, NodeId>;
  Step mask_;
  std::vector<Bitmap> ring_;
  std::vector<Mark> any_;
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
  std::vector<Step> last_far_;  ///< [node] the step of its last entry in the heap
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A request to stop, from a signal handler or another thread.
#include <atomic>

namespace starloom {

/// Work looks at it between two steps. Who asked can know whether it has looked since.
class StopFlag {
 public:
  void ask() { asked_ = true; }
  bool asked() const {
    const bool asked = asked_.load(std::memory_order_relaxed);
    if (asked) seen_.store(true, std::memory_order_relaxed);
    return asked;
  }
  /// Somebody has found it set.
  bool seen() const { return seen_; }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
  std::atomic<bool> asked_{false};
  mutable std::atomic<bool> seen_{false};
};

}  // namespace starloom

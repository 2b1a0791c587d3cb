// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A request to stop, from a signal handler or another thread.
#include <atomic>

namespace starloom {

/// Checked by the work between two steps. The requester can see whether it was found set since the request.
class StopFlag {
 public:
  void request() { requested_ = true; }
  bool requested() const {
    const bool requested = requested_.load(std::memory_order_relaxed);
    if (requested) seen_.store(true, std::memory_order_relaxed);
    return requested;
  }
  /// True if the flag was found set.
  bool seen() const { return seen_; }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
  std::atomic<bool> requested_{false};
  mutable std::atomic<bool> seen_{false};
};

}  // namespace starloom

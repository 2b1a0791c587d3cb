// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A link of a network with clocks, as its sender sees it (docs/clocks.md).
#include <algorithm>
#include <cstdint>

#include <starloom/core/ids.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/topology/clock_crossing.hpp>

namespace starloom::router {

/// The receiver reads one flit of the FIFO behind the link at each edge of its clock, in their order. So the step in
/// which a flit is readable is known when it is sent, and the receiver has no part in this.
class ClockedLink {
 public:
  ClockedLink() = default;
  explicit ClockedLink(const ClockCrossing& crossing) : crossing_(crossing), readable_(-crossing.receiver) {}

  const ClockCrossing& crossing() const { return crossing_; }

  /// A flit is sent now, enters the link in a later step, and leaves it in another.
  /// \return the step in which it is readable.
  Step send(Step now, Step entry, Step arrival) {
    while (!entries_.empty() && entries_.front() < now) entries_.pop_front();
    entries_.push_back(entry);
    readable_ = std::max(crossing_.readable(arrival), readable_ + crossing_.receiver);
    if (crossing_.fifo > 0) left_.push_back(readable_);
    return readable_;
  }
  /// The switch has been allocated to a flit that will be sent in a later step. It counts as sent until then.
  void promise(Step sent) {
    if (crossing_.fifo > 0) promised_.push_back(sent);
  }
  /// True if the sender has to wait in a step, because the FIFO may be full. It sees the places that the receiver
  /// frees as late as the synchroniser shows them.
  bool is_full(Step now) {
    if (crossing_.fifo == 0) return false;
    while (!left_.empty() && left_.front() + Step{crossing_.synchroniser} * crossing_.sender <= now) left_.pop_front();
    while (!promised_.empty() && promised_.front() < now) promised_.pop_front();
    return static_cast<std::int32_t>(left_.size() + promised_.size()) >= crossing_.fifo;
  }
  /// Flits that have been sent, but enter the link in `step` or later.
  std::int64_t entering_from(Step step) const {
    return std::count_if(entries_.begin(), entries_.end(), [step](Step entry) { return entry >= step; });
  }

 private:
  ClockCrossing crossing_{};
  Step readable_ = -1;      ///< of the last flit
  Queue<Step> entries_{};   ///< of the last flits
  Queue<Step> left_{};      ///< steps in which flits leave the FIFO; only with a limit
  Queue<Step> promised_{};  ///< steps in which they will be sent
};

}  // namespace starloom::router

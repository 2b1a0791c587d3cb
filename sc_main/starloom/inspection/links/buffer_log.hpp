// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The flits that pass through a buffer of a router.
#include <cstdint>
#include <deque>

#include <starloom/core/ids.hpp>

namespace starloom::links {

struct BufferedFlit {
  PacketId packet = no_packet;
  std::int32_t flit = 0;
  Step readable = 0;
  std::int64_t priority = 0;   ///< FlitPriorities::of_flit
  Step left = no_step;         ///< the step in which it left the buffer; no_step: it is there
  bool next_is_there = false;  ///< then: the next flit of its packet was readable
  bool gone = false;           ///< it has left the router
};

/// The flits of a channel of an in-port, in the order in which they enter and leave.
class BufferLog {
 public:
  void enter(const BufferedFlit& flit) { flits_.push_back(flit); }
  /// A credit shows that the first flit that is there leaves the buffer, unless it is for one that is gone: the credits
  /// of several rounds come one after the other.
  void leave(Step step);
  /// A flit leaves the router. Unless it has left the buffer before, it leaves that in `step`. Rows of flits with
  /// different out-ports may be in another order than that. Flits that left before `from` and are gone are forgotten.
  /// \return the flit; if the buffer does not have it, a flit with these numbers that left in `step`.
  BufferedFlit go(PacketId packet, std::int32_t flit, Step step, Step from);
  /// The flits of a packet that are there vanish.
  void drop(PacketId packet);
  const std::deque<BufferedFlit>& flits() const { return flits_; }

 private:
  void leave(std::size_t at, Step step);

  std::deque<BufferedFlit> flits_{};
  std::size_t there_ = 0;          ///< flits before the first one that is there
  std::int64_t late_credits_ = 0;  ///< of flits that were gone before
};

}  // namespace starloom::links

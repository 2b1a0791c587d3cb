// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/buffer_log.hpp>

#include <algorithm>

namespace starloom::links {

void BufferLog::leave(Step step) {
  if (late_credits_ > 0) --late_credits_;
  else if (there_ < flits_.size()) leave(there_, step);
}

BufferedFlit BufferLog::go(PacketId packet, std::int32_t flit, Step step, Step from) {
  const auto from_back = std::find_if(flits_.rbegin(), flits_.rend(), [&](const BufferedFlit& one) {
    return one.packet == packet && one.flit == flit;
  });
  if (from_back == flits_.rend()) return {packet, flit, step, 0, step};
  BufferedFlit& gone = *from_back;
  if (gone.left == no_step) {
    leave(static_cast<std::size_t>(flits_.rend() - from_back) - 1, step);
    ++late_credits_;
  }
  gone.left = std::min(gone.left, step);
  gone.gone = true;
  const BufferedFlit found = gone;
  for (; !flits_.empty() && flits_.front().gone && flits_.front().left < from; --there_) flits_.pop_front();
  return found;
}

void BufferLog::drop(PacketId packet) {
  const auto there = flits_.begin() + static_cast<std::ptrdiff_t>(there_);
  flits_.erase(
      std::remove_if(there, flits_.end(),
                     [packet](const BufferedFlit& one) { return one.packet == packet && one.left == no_step; }),
      flits_.end());
}

void BufferLog::leave(std::size_t at, Step step) {
  BufferedFlit& leaving = flits_[at];
  leaving.left = step;
  if (at + 1 < flits_.size()) {
    const BufferedFlit& next = flits_[at + 1];
    leaving.next_is_there = next.packet == leaving.packet && next.readable <= step;
  }
  while (there_ < flits_.size() && flits_[there_].left != no_step) ++there_;
}

}  // namespace starloom::links

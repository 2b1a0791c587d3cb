// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/packet_times.hpp>

#include <algorithm>

namespace starloom::links {

PacketTimes::PacketTimes(const NetworkGraph& graph, const Algorithm& algorithm, const std::vector<NodeId>& ones,
                         const std::vector<NodeId>& others, Contention contention)
    : table_(graph, algorithm), others_(others.size()) {
  for (const NodeId one : ones)
    for (const NodeId other : others) {
      paths_.push_back(table_.path(one, other));
      paths_.push_back(table_.path(other, one));
    }
  if (contention == Contention::none) return;
  // Only stages of a path have a calendar.
  std::vector<std::size_t> number(table_.places(), 0);
  std::size_t count = 0;
  for (NetworkPath& path : paths_)
    for (NetworkPath::Stage& stage : path.stages) {
      if (number[stage.index] == 0) number[stage.index] = ++count;
      stage.index = number[stage.index] - 1;
    }
  calendars_.resize(count);
}

Step PacketTimes::reserve(const NetworkPath& path, std::int32_t flits, Step created) {
  const Step tail = table_.tail(path, flits);
  Step head = created;
  for (const NetworkPath::Stage& stage : path.stages)
    head = calendars_[stage.index].take(head + stage.after, std::max(tail + 1, Step{flits} * stage.interval));
  return head + tail;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/schedule_player/timetable.hpp>

#include <algorithm>
#include <tuple>

namespace starloom::links {

Timetable::Timetable(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan)
    : first_(static_cast<std::size_t>(grid.nodes()) + 1, 0) {
  const auto walk = [&](const auto& visit) {
    for (std::size_t p = 0; p < packets.size(); ++p) {
      NodeId at = packets[p].source;
      Step step = plan.journeys[p].start;
      for (const Port port : plan.journeys[p].moves) {
        if (port != no_port) {
          visit(at, Move{static_cast<PacketId>(p), step, port});
          at = grid.neighbour(at, port);
        }
        ++step;
      }
    }
  };
  walk([this](NodeId node, const Move&) { ++first_[static_cast<std::size_t>(node) + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  moves_.resize(first_.back());
  // Packets come in the order of their numbers and each in the order of its steps, so every part is sorted.
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  walk([&](NodeId node, const Move& move) { moves_[next[static_cast<std::size_t>(node)]++] = move; });
}

const Timetable::Move* Timetable::Part::find(PacketId packet, Step from) const {
  const Move* found = std::lower_bound(
      begin_, end_, std::tuple(packet, from),
      [](const Move& move, const auto& wanted) { return std::tie(move.packet, move.leaves) < wanted; });
  return found != end_ && found->packet == packet ? found : nullptr;
}

}  // namespace starloom::links

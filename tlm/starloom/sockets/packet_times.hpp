// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Arrival times of packets, computed without hardware: in an empty network, or after the reservations of
/// earlier packets. Without SystemC.
#include <vector>

#include <starloom/sockets/network_paths.hpp>
#include <starloom/sockets/slot_calendar.hpp>

namespace starloom::links {

/// Times of packets between two lists of nodes.
class PacketTimes {
 public:
  enum class Contention { none, by_reservation };

  /// Packets go from nodes of `ones` to nodes of `others`, and back.
  PacketTimes(const NetworkGraph& graph, const Algorithm& algorithm, const std::vector<NodeId>& ones,
              const std::vector<NodeId>& others, Contention contention);

  /// The step in which a packet is delivered that is created in step `created`: from `ones[one]` to `others[other]`,
  /// or back. With contention it reserves the steps in which its flits pass the stages of its path.
  Step delivered(std::size_t one, std::size_t other, bool back, std::int32_t flits, Step created) {
    const NetworkPath& path = paths_[pair(one, other, back)];
    if (calendars_.empty()) return created + table_.empty_time(path, flits);
    return reserve(path, flits, created);
  }
  const NetworkPath& path(std::size_t one, std::size_t other, bool back) const {
    return paths_[pair(one, other, back)];
  }
  Step empty_time(std::size_t one, std::size_t other, bool back, std::int32_t flits) const {
    return table_.empty_time(path(one, other, back), flits);
  }

 private:
  std::size_t pair(std::size_t one, std::size_t other, bool back) const {
    return (one * others_ + other) * 2 + (back ? 1 : 0);
  }
  Step reserve(const NetworkPath& path, std::int32_t flits, Step created);

  const PathTable table_;
  const std::size_t others_;
  std::vector<NetworkPath> paths_;
  std::vector<SlotCalendar> calendars_;  ///< [stage index]; empty: no contention
};

}  // namespace starloom::links

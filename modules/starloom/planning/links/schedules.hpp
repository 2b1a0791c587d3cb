// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Functions on packets and schedules that all planners and searches need, and the time limit that a user sets.
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The greatest distance between the source and the destination of a packet, a lower bound on the length of every
/// plan; 0 without packets.
std::int32_t greatest_distance(const Grid& grid, const std::vector<Packet>& packets);

/// \throws InputError if a packet has a source or a destination outside the grid.
void check_packets(const Grid& grid, const std::vector<Packet>& packets);

/// True if a plan, valid in itself, is one of these schedules: by its paths and the nodes in which its packets stay.
bool belongs_to(const ScheduleSpace& space, const Grid& grid, const std::vector<Packet>& packets, const Plan& plan);

/// \throws InputError if the grid has no one-bend paths but the scheme requires them, if a number of residents is
/// below 0, or if packets of several flits are to stay.
void check_space(const Grid& grid, const ScheduleSpace& space);

/// A time limit. Its only effect on a result is that an answer is not found.
class Deadline {
 public:
  /// Starts the time. Without a value there is no limit.
  explicit Deadline(std::optional<double> seconds = std::nullopt);
  bool passed() const { return seconds_left() <= 0; }
  /// Infinity without a limit.
  double seconds_left() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

/// The answer to a yes-or-no question with a time limit.
enum class Answer { yes, no, unknown };

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Questions that all planners and searches ask of packets and schedules, and how long a user is willing to
/// wait for an answer.
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

/// Whether a plan, sound in itself, is one of these schedules: its paths and where its packets stay.
bool belongs_to(const ScheduleSpace& space, const Grid& grid, const std::vector<Packet>& packets, const Plan& plan);

/// \throws InputError if the grid has no one-bend paths but the scheme asks for them, if there is a place below 0, or
/// if packets of several flits are to stay.
void check_space(const Grid& grid, const ScheduleSpace& space);

/// The time a user is willing to wait. All that it may change is that an answer is not found.
class Deadline {
 public:
  /// None: no limit. The time runs from now on.
  explicit Deadline(std::optional<double> seconds = std::nullopt);
  bool passed() const { return seconds_left() <= 0; }
  /// Infinity without a limit.
  double seconds_left() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

/// The answer to a yes-or-no question that may take too long.
enum class Answer { yes, no, unknown };

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What all schedules of some packets have in common, however they are made: which paths may be taken, where packets
/// may stay, and how long somebody is willing to wait for an answer about them.
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/plan.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// A set of schedules. All packets are at their sources in stage 0, wait there for free, and have the same length.
struct ScheduleSpace {
  std::optional<PathScheme> scheme{};   ///< one-bend paths, on a mesh of rows and columns; nothing: any path
  std::vector<std::int64_t> places{0};  ///< packets that may stay in a node on their way, one number or one a node
  std::int32_t flits = 1;               ///< of every packet; those of several flits never stay

  std::int64_t places_of(NodeId node) const {
    return places.size() == 1 ? places.front() : places[static_cast<std::size_t>(node)];
  }
  bool has_places() const;
  /// Whether a plan, sound in itself, is one of these schedules: its paths and where it stays.
  bool contains(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) const;
};

/// \throws InputError if the grid has no one-bend paths but the scheme asks for them, if there is a place below 0, or if
/// packets of several flits are to stay.
void check_space(const Grid& grid, const ScheduleSpace& space);

/// The time somebody is willing to wait. All that it may change is that an answer is not found.
class Deadline {
 public:
  /// Nothing: no limit. The time runs from now on.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A plan: when each packet leaves and which path it takes, computed before the run by an offline planner (room
/// `planning`); and the set of schedules with which a plan is compared. Stages of a plan are steps of the run and
/// count from 0.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// The path of one packet. It waits at its source for free, leaves in stage `start`, and makes one move per stage
/// from then on; `no_port` as a move: it stays in its node for that stage. A packet for its own node makes no moves.
struct Journey {
  Step start = 0;  ///< `no_step`: the packet is not part of the plan
  std::vector<Port> moves;

  bool planned() const { return start != no_step; }

  /// The stage in which the packet's last flit is readable at the destination; 0 for a packet for its own node.
  Step arrival(std::int32_t flits = 1) const {
    return moves.empty() ? 0 : start + static_cast<Step>(moves.size()) + flits - 1;
  }
};

/// A complete plan, move by move.
struct Plan {
  std::vector<Journey> journeys;  ///< by packet
  std::int32_t flits = 1;         ///< of every packet; flit j makes each move j stages after the first flit

  /// The last arrival, 0 if no packet moves.
  Step length() const {
    Step last = 0;
    for (const Journey& journey : journeys) last = std::max(last, journey.arrival(flits));
    return last;
  }
};

/// The minimal paths with one bend that are tried at each stage, on a mesh of rows and columns (Symvonis and
/// Tidswell, TR 477, section 4).
enum class PathScheme {
  path_selection,    ///< PS: horizontal first, then vertical first, then the next stage
  horizontal_first,  ///< HF
  vertical_first,    ///< VF
};

/// A set of schedules. All packets are at their sources in stage 0, wait there for free, and have the same length.
struct ScheduleSpace {
  std::optional<PathScheme> scheme{};  ///< one-bend paths, on a mesh of rows and columns; empty: any path
  /// packets that may stay in a node on their path, one number for all or one per node
  std::vector<std::int64_t> residents{0};
  std::int32_t flits = 1;  ///< of every packet; packets of several flits never stay

  std::int64_t residents_of(NodeId node) const {
    return residents.size() == 1 ? residents.front() : residents[static_cast<std::size_t>(node)];
  }
  bool has_residents() const {
    return std::any_of(residents.begin(), residents.end(), [](std::int64_t most) { return most > 0; });
  }
};

}  // namespace starloom::links

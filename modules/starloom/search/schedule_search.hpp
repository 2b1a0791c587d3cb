// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Is there a schedule of a given length? The question as a formula. A link in a stage, and the residents of a
/// node in a stage, have a capacity; each packet has to arrive.
#include <cstdint>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/search/solver.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct SearchLimits : SolverLimits {
  /// Of packets on links, counted for every stage, path and start: larger formulas are not attempted.
  std::int64_t formula = 50'000'000;
};

struct SearchResult {
  Answer found = Answer::unknown;
  Plan plan{};  ///< if found; it may be shorter than requested
};

/// Searches all schedules of the space for one of at most `length` stages. A source starts one packet in a stage.
/// \throws InputError as `check_space` and `check_packets` do.
/// \throws OutputError as `solve` does.
SearchResult find_schedule(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space,
                           Step length, const SearchLimits& limits = {});

}  // namespace starloom::links

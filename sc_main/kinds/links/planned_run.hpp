#pragma once
/// \file What an off-line planner made, as data.
#include <starloom/kinds/prepared_run.hpp>
#include <starloom/planners/links/plan.hpp>
#include <vector>

namespace starloom::links {

/// `length`, `distance`, `bounds`, `optimum`, `status`, `starts`, and `first` where all paths have one bend at most.
/// Refers to `grid` and `plan`.
PlannedRun planned_run(const Grid& grid, std::vector<Packet> packets, const Plan& plan);

}  // namespace starloom::links

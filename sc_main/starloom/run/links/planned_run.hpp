// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What an offline planner made, as data, and how good it is.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/run/prepared_run.hpp>
#include <vector>

namespace starloom::links {

/// `length`, `distance`, `bounds`, `optimum`, `lower`, `upper`, `status`, `starts`, and `first` where all paths have
/// one bend at most. Refers to `grid` and `algorithm`, which has a plan.
/// \throws InputError: what is asked for makes no sense for these packets.
PlannedRun planned_run(const Grid& grid, std::vector<Packet> packets, const Algorithm& algorithm,
                       const PlanRequest& request);

}  // namespace starloom::links

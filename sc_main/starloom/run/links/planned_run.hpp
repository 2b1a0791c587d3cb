// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The plan of an offline planner as data, and its quality.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/run/prepared_run.hpp>
#include <vector>

namespace starloom::links {

/// `length`, `distance`, `bounds`, `optimum`, `lower`, `upper`, `status`, `starts`, and `first` if all paths have at
/// most one bend. Refers to `grid` and `algorithm`, which has a plan.
/// \throws InputError: the request is impossible for these packets.
PlannedRun planned_run(const Grid& grid, std::vector<Packet> packets, const Algorithm& algorithm,
                       const PlanRequest& request);

}  // namespace starloom::links

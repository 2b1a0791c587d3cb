// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a plan comes to on a grid, packet by packet, without hardware: the transaction-level model of the offline
/// algorithms.
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/plan.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct PlanRun {
  RunRecord record;                    ///< as the netlist's; `queue` only where nodes store packets
  std::optional<Violation> violation;  ///< two flits on one link, too many packets that stay, a move off the grid, or
                                       ///< a wrong end
};

/// Walks all packets over the links, step by step, and holds them to what the algorithm declares.
PlanRun run_plan(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan,
                 const Declaration& declaration);

}  // namespace starloom::links

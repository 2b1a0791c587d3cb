// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The execution of a plan on a grid, packet by packet, without hardware: the transaction-level model of the
/// offline algorithms.
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
  RunRecord record;  ///< as that of the netlist; `queue` only if nodes store packets
  /// two flits on one link, too many packets that stay, a move off the grid, or a wrong destination
  std::optional<Violation> violation;
};

/// Moves all packets over the links, step by step, and checks the declaration of the algorithm.
PlanRun run_plan(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan,
                 const Declaration& declaration);

}  // namespace starloom::links

#pragma once
/// \file What a plan comes to on a grid, packet by packet, without hardware: the transaction-level model of the off-line
/// algorithms.
#include <optional>
#include <vector>

#include "controllers/algorithm.hpp"
#include "core/packet.hpp"
#include "core/run_record.hpp"
#include "planners/plan.hpp"
#include "topology/topology.hpp"

namespace starloom {

struct PlanRun {
  RunRecord record;                    ///< as the netlist's; `queue` only where nodes store packets
  std::optional<Violation> violation;  ///< two flits on one link, too many packets that stay, a move off the grid, or
                                       ///< a wrong end
};

/// Walks all packets over the links, step by step, and holds them to what the algorithm declares.
PlanRun run_plan(const Topology& grid, const std::vector<Packet>& packets, const Plan& plan,
                 const Declaration& declaration);

}  // namespace starloom

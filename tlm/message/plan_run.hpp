#pragma once
/// \file What a plan comes to on a grid, packet by packet, without hardware: the transaction-level model of the off-line
/// algorithms.
#include <optional>
#include <vector>

#include "core/packet.hpp"
#include "core/run_record.hpp"
#include "planners/plan.hpp"
#include "topology/topology.hpp"

namespace starloom {

struct PlanRun {
  RunRecord record;                    ///< as the netlist's; `queue` only if `count_queues`
  std::optional<Violation> violation;  ///< two flits on one link, a move off the grid, or a wrong end
};

/// Walks all packets over the links, step by step. `count_queues`: fill `record.queue` (where nodes store packets).
PlanRun run_plan(const Topology& grid, const std::vector<Packet>& packets, const Plan& plan, bool count_queues);

}  // namespace starloom

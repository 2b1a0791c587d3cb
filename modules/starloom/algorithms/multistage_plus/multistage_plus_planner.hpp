// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The multistage method, with a repair of late packets.
#include <vector>

#include <starloom/algorithms/multistage_plus/plan_repair.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Plans by path selection (OneBendPlanner). If the plan is longer than the counting bound of all plans, the planner
/// tries for every length from that bound on to repair the plan: first by a search from its late packets, then, if
/// that takes too many steps, by a formula for all packets, also with a limit. No plan is therefore longer than that
/// of path selection, and equal inputs give equal plans.
class MultistagePlusPlanner {
 public:
  /// \throws InputError as OneBendPlanner does.
  MultistagePlusPlanner(const Grid& mesh, const Ordering& ordering);

  /// Valid until the next call. \throws InputError as OneBendPlanner does.
  const OneBendPlan& plan(const std::vector<Packet>& packets);

 private:
  /// True if there is a plan of that length, which is then the plan.
  bool meets(const std::vector<Packet>& packets, Step length);

  Grid mesh_;
  OneBendPlanner greedy_;
  PlanRepair repair_;
  OneBendPlan plan_;
};

}  // namespace starloom::links

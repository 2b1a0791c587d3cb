// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage_plus/multistage_plus_planner.hpp>

#include <starloom/search/counting_bounds.hpp>
#include <starloom/search/schedule_search.hpp>

namespace starloom::links {
namespace {

/// Most late packets are placed within a few steps, or soon found to be impossible to place.
constexpr std::int64_t repair_steps = 500;
/// Limits of the formula: packets on links, and conflicts of the solver. Some seconds at most.
constexpr std::int64_t largest_formula = 2'000'000;
constexpr int most_conflicts = 20'000;
/// Links in stages that the repair keeps in memory, 4 bytes each.
constexpr std::int64_t most_links = 1 << 26;

}  // namespace

MultistagePlusPlanner::MultistagePlusPlanner(const Grid& mesh, const Ordering& ordering)
    : mesh_(mesh), greedy_(mesh, {ordering, PathScheme::path_selection, 1, false}), repair_(mesh) {}

const OneBendPlan& MultistagePlusPlanner::plan(const std::vector<Packet>& packets) {
  plan_ = greedy_.plan(packets);
  if (plan_.length == plan_.distance) return plan_;
  const Step greedy = plan_.length;
  for (Step length = counting_bounds(mesh_, packets).greatest(); length < greedy; ++length)
    if (meets(packets, length)) break;
  return plan_;
}

bool MultistagePlusPlanner::meets(const std::vector<Packet>& packets, Step length) {
  if (length * mesh_.nodes() * mesh_.ports() <= most_links)
    switch (repair_.shorten(packets, plan_, length, repair_steps)) {
      case Answer::yes: return true;
      case Answer::no: return false;
      case Answer::unknown: break;
    }
  SearchLimits limits;
  limits.formula = largest_formula;
  limits.conflicts = most_conflicts;
  const SearchResult result = find_schedule(mesh_, packets, {PathScheme::path_selection, {0}, 1}, length, limits);
  if (result.found != Answer::yes) return false;
  const std::vector<FirstSegment> first = first_segments(mesh_, packets, result.plan).value();
  for (std::size_t p = 0; p < packets.size(); ++p)
    plan_.starts[p] = static_cast<std::int32_t>(result.plan.journeys[p].start);
  plan_.first = first;
  plan_.length = static_cast<std::int32_t>(result.plan.length());
  return true;
}

}  // namespace starloom::links

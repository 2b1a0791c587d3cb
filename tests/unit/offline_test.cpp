// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/offline/offline.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include <starloom/message/pops/plan_model.hpp>
#include "support/permutations.hpp"
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

SteppedRun stepped(const Pops& pops, const std::vector<NodeId>& destination, const Plan& plan,
                   const Stepping& stepping = {}) {
  const Timetable timetable(pops, destination, plan);
  const auto controllers = controllers_for(pops, [&](NodeId node) {
    return OfflineController(timetable, node, destination[static_cast<std::size_t>(node)]);
  });
  return run_stepper(pops, *controllers, {1, 0, plan.slots()}, 1, stepping);
}

TEST(Offline, ModelAndControllersAgree) {
  for (const auto& [d, g] : {std::pair{1, 6}, {4, 4}, {8, 3}, {3, 8}, {16, 4}, {5, 1}, {1, 1}, {6, 9}})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Pops pops(d, g);
      std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
      if (seed == 4)
        for (std::size_t node = 0; node < destination.size(); node += 2) destination[node] = no_node;
      const Plan plan = plan_permutation(pops, destination);
      const MessageRun model = follow_plan(pops, destination, plan);
      SCOPED_TRACE(testing::Message() << "POPS(" << d << "," << g << ") seed " << seed);
      EXPECT_EQ(static_cast<std::int64_t>(model.slots.size()), d == 1 ? 1 : 2 * ((d + g - 1) / g));
      Stepping shuffled;
      shuffled.order = random_permutation(pops.nodes(), 77);
      expect_same(model, stepped(pops, destination, plan));
      expect_same(model, stepped(pops, destination, plan, shuffled));
    }
}

TEST(Offline, EveryPermutationOfEightIsDelivered) {
  for (const NodeId d : {1, 2, 4, 8}) {
    const Pops pops(d, 8 / d);
    std::vector<NodeId> destination = identity_permutation(8);
    do {
      const Plan plan = plan_permutation(pops, destination);
      const MessageRun run = follow_plan(pops, destination, plan);
      ASSERT_EQ(std::count(run.delivered.begin(), run.delivered.end(), -1), 0);
    } while (std::next_permutation(destination.begin(), destination.end()));
  }
}

TEST(Offline, ADamagedPlanIsFound) {
  const Pops pops(4, 4);
  const std::vector<NodeId> destination = random_permutation(16, 2);
  Plan plan = plan_permutation(pops, destination);
  plan.relay[1] = plan.relay[0];
  EXPECT_THROW(follow_plan(pops, destination, plan), std::logic_error);
  const SteppedRun run = stepped(pops, destination, plan);
  EXPECT_LT(std::count_if(run.delivered.begin(), run.delivered.end(), [](std::int32_t at) { return at >= 0; }), 16);
}

}  // namespace
}  // namespace starloom::pops

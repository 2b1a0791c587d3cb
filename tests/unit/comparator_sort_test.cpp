// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/comparator_sort/comparator_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/message/pops/plan_model.hpp>
#include <starloom/support/error.hpp>
#include "support/permutations.hpp"
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

SteppedRun stepped(const Pops& pops, const SortProgram& program, const std::vector<NodeId>& destination) {
  const auto controllers = controllers_for(pops, [&](NodeId node) {
    return ComparatorSortController(program, node, destination[static_cast<std::size_t>(node)]);
  });
  return run_stepper(pops, *controllers, {1, 0, program.slots()}, 1);
}

TEST(ComparatorSort, ModelAndControllersAgree) {
  for (const auto& [d, g] : {std::pair{1, 1}, {2, 2}, {4, 4}, {1, 16}, {8, 2}, {4, 16}, {3, 5}, {5, 3}, {16, 4}}) {
    const Pops pops(d, g);
    const SortProgram program(pops);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
      SCOPED_TRACE(testing::Message() << "POPS(" << d << "," << g << ")");
      expect_same(sort_packets(pops, destination), stepped(pops, program, destination));
    }
  }
}

TEST(ComparatorSort, SlotsAreThoseOfTheStages) {
  const struct {
    std::int32_t d, g;
    std::size_t slots;
  } rows[] = {{2, 2, 6},    {4, 4, 20},    {8, 8, 42},  {16, 16, 72}, {8, 2, 80},  {16, 4, 168}, {32, 8, 288},
              {32, 2, 672}, {64, 4, 1152}, {1, 16, 10}, {4, 16, 42},  {8, 64, 90}, {3, 5, 20}};
  for (const auto& row : rows) {
    const Pops pops(row.d, row.g);
    EXPECT_EQ(sort_packets(pops, random_permutation(pops.nodes(), 1)).slots.size(), row.slots)
        << "POPS(" << row.d << "," << row.g << ")";
  }
}

TEST(ComparatorSort, AllPermutationsOfUpToEight) {
  for (const auto& [d, g] : {std::pair{1, 3}, {2, 2}, {5, 1}, {2, 3}, {7, 1}, {4, 2}, {2, 4}, {1, 8}}) {
    const Pops pops(d, g);
    const SortProgram program(pops);
    std::vector<NodeId> destination = identity_permutation(pops.nodes());
    do {
      const SteppedRun run = stepped(pops, program, destination);
      ASSERT_EQ(run.breach, nullptr) << run.breach;
      ASSERT_EQ(std::count(run.delivered.begin(), run.delivered.end(), program.slots()), pops.nodes());
    } while (std::next_permutation(destination.begin(), destination.end()));
  }
}

TEST(ComparatorSort, RefusesProcessorsWithoutPackets) {
  EXPECT_THROW(sort_packets(Pops(2, 2), {1, 0, no_node, 3}), InputError);
}

}  // namespace
}  // namespace starloom::pops

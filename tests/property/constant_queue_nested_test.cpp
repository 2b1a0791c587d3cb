// SPDX-License-Identifier: Apache-2.0
// The recursion of constant-queue on the smallest mesh that has a nested level which sorts: its regions have 48 nodes a
// side, their supersquares 6, and subsquares 2.
#include <gtest/gtest.h>

#include <starloom/core/random.hpp>
#include "property/routed_mesh.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

/// Side of the subsquares of the outermost level.
class NestedSort : public testing::TestWithParam<std::int64_t> {};

TEST_P(NestedSort, KeepsThePromisesOfAllLevels) {
  const auto s = static_cast<std::int32_t>(GetParam());
  const Grid mesh = Grid::mesh({384, 384});
  const std::vector<Level> levels = constant_queue_levels(384, 16, s);
  ASSERT_EQ(levels.at(1).s, 2);
  RandomStream random(1, Purpose::permutation, 0, 0);
  std::vector<Packet> packets;
  for (const Packet& packet : packets_of_pattern("cross-corner", mesh))
    if (random.bounded(8) == 0) packets.push_back(packet);
  const auto algorithm = named_algorithm("constant-queue", mesh, {{"s", GetParam()}}, &packets);
  ListSource source(packets);
  StepperResult run = run_stepper(mesh, *algorithm, source);
  ASSERT_FALSE(run.violation) << run.violation->text;
  Routed(mesh, levels, std::move(run.rows), std::move(run.record), false).expect_sound();
}

// With subsquares of one node the outermost level does not sort, and the nested one does; 6 is the default.
INSTANTIATE_TEST_SUITE_P(Sides, NestedSort, testing::Values(1, 6));

}  // namespace
}  // namespace starloom::links

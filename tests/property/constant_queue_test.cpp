// SPDX-License-Identifier: Apache-2.0
// The promises of the constant-queue router, on traffic that is made to break them. Two packets for one link among
// those that are never queued, and more stored packets than declared, end a run as a violation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "property/routed_mesh.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

/// A run with default keys but the mode of its columns. Returns its steps.
Step expect_sound(std::int32_t n, const std::vector<Packet>& packets, const std::string& column) {
  const Grid mesh = Grid::mesh({n, n});
  const auto algorithm = named_algorithm("constant-queue", mesh, {{"column", column}}, &packets);
  ListSource source(packets);
  StepperResult result = run_stepper(mesh, *algorithm, source);
  EXPECT_FALSE(result.violation) << result.violation->text;
  EXPECT_LE(result.record.queue.max, algorithm->bounds(packets).at("queue"));
  const Routed routed(mesh, constant_queue_levels(n, 16, 0), std::move(result.rows), std::move(result.record),
                      column == "frozen");
  routed.expect_sound();
  return routed.steps();
}

const char* const named[] = {
    "random-permutation", "half-permutation", "transpose",    "antitranspose",   "reversal",    "column-reversal",
    "quarter-turn",       "corner",           "corner-shift", "corner-critical", "cross",       "cross-corner",
    "specials",           "into-middle",      "queue-middle", "queue-outside",   "queue-snake", "late-rows",
    "late-rows-alone",    "queue-crossed",    "queue-asap",   "greedykill"};

class ConstantQueue : public testing::TestWithParam<std::int32_t> {};

TEST_P(ConstantQueue, KeepsItsPromisesOnAllNamedInputs) {
  const Grid mesh = Grid::mesh({GetParam(), GetParam()});
  for (const char* pattern : named) {
    SCOPED_TRACE(pattern);
    const std::vector<Packet> packets = packets_of_pattern(pattern, mesh);
    const Step asap = expect_sound(GetParam(), packets, "asap"), frozen = expect_sound(GetParam(), packets, "frozen");
    if (HasFailure()) return;
    EXPECT_LE(asap, frozen);
    const std::string name = pattern;
    if (name == "transpose" || name == "reversal" || name == "corner") {
      EXPECT_EQ(asap, 2 * GetParam() - 2);
    }
  }
}

TEST_P(ConstantQueue, KeepsItsPromisesOnStructuredInputs) {
  const Grid mesh = Grid::mesh({GetParam(), GetParam()});
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Packet> packets = packets_of_pattern("structured", mesh, seed);
    const Step asap = expect_sound(GetParam(), packets, "asap"), frozen = expect_sound(GetParam(), packets, "frozen");
    if (HasFailure()) return;
    EXPECT_LE(asap, frozen);
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, ConstantQueue, testing::Values(24, 32, 40, 48, 64));

}  // namespace
}  // namespace starloom::links

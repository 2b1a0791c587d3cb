// SPDX-License-Identifier: Apache-2.0
/// \file The steps of a Timeline by hand, and a CreditHistory against a count of every step.
#include <gtest/gtest.h>

#include <limits>

#include <starloom/core/random.hpp>
#include <starloom/router/timeline.hpp>
#include <starloom/topology/grid/grid_graph.hpp>

namespace starloom::router {
namespace {

using links::CreditRow;
using links::TraceEvent;
using links::TraceRow;

/// The events of docs/router.md, "A flit's way".
TEST(Timeline, OfAHeadInAPipelineOfFiveCycles) {
  const NetworkGraph graph = make_grid_graph(Grid::mesh({1, 2}));
  const Timeline timeline(graph, {*Pipeline::of(5, false), {}});
  const TraceRow inject{0, TraceEvent::inject, 0, 0, 0, no_port, no_node, 0};
  const TraceRow hop{6, TraceEvent::hop, 0, 0, 0, 1, 1, 0};
  const TraceRow eject{12, TraceEvent::eject, 0, 0, 1};

  EXPECT_EQ(timeline.entry(inject)->step, 2);
  EXPECT_EQ(timeline.entry(inject)->in, graph.ports());
  EXPECT_FALSE(timeline.grant(inject));
  EXPECT_EQ(timeline.undisturbed(inject), 0);

  EXPECT_EQ(timeline.grant(hop)->step, 4);
  EXPECT_EQ(timeline.grant(hop)->out, 1);
  EXPECT_EQ(timeline.entry(hop)->step, 7);
  EXPECT_EQ(timeline.entry(hop)->node, 1);
  EXPECT_EQ(timeline.entry(hop)->in, 3);
  EXPECT_EQ(timeline.undisturbed(hop), 6 - 2);
  EXPECT_FALSE(timeline.credit(hop));

  EXPECT_EQ(timeline.grant(eject)->step, 9);
  EXPECT_EQ(timeline.grant(eject)->out, graph.ports());
  EXPECT_FALSE(timeline.entry(eject));
  EXPECT_EQ(timeline.undisturbed(eject), 12 - 7);
  EXPECT_EQ(timeline.stages(1), 2);

  // The processor, not an out-port, gets the credit of the local in-port.
  EXPECT_FALSE(timeline.credit(CreditRow{5, 0, graph.ports(), 0}));
  const auto credit = timeline.credit(CreditRow{10, 1, 3, 0});
  EXPECT_EQ(credit->node, 0);
  EXPECT_EQ(credit->out, 1);
  EXPECT_EQ(credit->step, 11);
  EXPECT_EQ(Timeline(graph, {}, 4).credit(CreditRow{10, 1, 3, 0})->step, 15);
}

/// Compared with a count from step to step.
TEST(CreditHistory, AgreesWithACountOfEveryStep) {
  constexpr Step end = 60;
  constexpr std::int32_t capacity = 2;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, Purpose::algorithm, 0, 0);
    const auto from = static_cast<Step>(random.bounded(end));
    CreditHistory history(from);
    std::int64_t taken = 0;
    std::vector<std::int64_t> at_start, at_end;  // [step] slots taken when the switch is decided, and behind it
    for (Step step = 0; step < end; ++step) {
      if (taken > 0 && random.bounded(3) == 0) {
        --taken;
        history.give_back(step);
      }
      at_start.push_back(taken);
      if (taken < capacity && random.bounded(2) == 0) {
        ++taken;
        history.spend(step);
      }
      at_end.push_back(taken);
    }
    for (Step step = from; step < end; ++step) {
      const auto s = static_cast<std::size_t>(step);
      EXPECT_EQ(history.taken(step), at_start[s]) << "seed " << seed << ", step " << step;
      // A slot that is given back and taken in one step is a change, too.
      Step next = step + 1;
      while (next < end && at_start[static_cast<std::size_t>(next)] == at_end[static_cast<std::size_t>(next - 1)] &&
             at_end[static_cast<std::size_t>(next - 1)] == at_start[static_cast<std::size_t>(next - 1)])
        ++next;
      if (next < end) {
        EXPECT_EQ(history.next_change(step), next) << "seed " << seed << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace starloom::router

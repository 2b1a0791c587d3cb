// SPDX-License-Identifier: Apache-2.0
/// \file The example of the README runs in the netlist, in the stepper, and under the referee.
#include <gtest/gtest.h>

#include <starloom/referee/links/referee.hpp>
#include "support/list_source.hpp"
#include "support/netlist_run.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {

AlgorithmEntry column_first_entry();

namespace {

TEST(OwnAlgorithm, RoutesAPermutationAndTheRefereeAgrees) {
  const Grid mesh = Grid::mesh({5, 7});
  const auto algorithm = std::get<MakeAlgorithm>(column_first_entry().make)({&network_of(mesh)}, KeyValues());
  const std::vector<Packet> packets = permutation_packets(random_permutation(mesh.nodes(), 3));
  ListSource for_netlist(packets), for_stepper(packets);
  const NetlistRun netlist = run_netlist(mesh, *algorithm, for_netlist);
  const StepperResult plain = run_stepper(mesh, *algorithm, for_stepper);
  EXPECT_EQ(netlist.rows, plain.rows);
  EXPECT_EQ(netlist.record.delivered_count, mesh.nodes());

  Referee referee(network_of(mesh).graph, RefereeRules());
  referee.packets(netlist.record.packets);
  for (std::size_t i = 0; i < netlist.rows.size();) {
    std::vector<TraceRow> step;
    for (const Step now = netlist.rows[i].step; i < netlist.rows.size() && netlist.rows[i].step == now; ++i)
      step.push_back(netlist.rows[i]);
    referee.rows(step);
  }
  referee.finish(netlist.record.delivered, true);
  EXPECT_TRUE(referee.ok()) << referee.violation().text;
}

// The characteristic of column-first: the first hop of a packet that needs both directions is vertical.
TEST(OwnAlgorithm, StartsVertically) {
  const Grid mesh = Grid::mesh({3, 3});
  const auto algorithm = std::get<MakeAlgorithm>(column_first_entry().make)({&network_of(mesh)}, KeyValues());
  ListSource source({{0, 8, 1, 0}});
  const NetlistRun run = run_netlist(mesh, *algorithm, source);
  ASSERT_EQ(run.rows.size(), 6u);
  EXPECT_EQ(run.rows[1].to, 3);
  EXPECT_EQ(run.record.delivered[0], 4);
}

}  // namespace
}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The netlist of SystemC modules and the reference simulator agree on every row.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/list_source.hpp"
#include "support/netlist_run.hpp"
#include "support/stepper.hpp"

namespace starloom::links {

/// The rows before the step of a violation: within that step the two may stop at different rows.
inline std::vector<TraceRow> before(std::vector<TraceRow> rows, const std::optional<Violation>& violation) {
  while (violation && !rows.empty() && rows.back().step >= violation->step) rows.pop_back();
  return rows;
}

/// All that the two record is the same.
inline void expect_same(NetlistRun netlist, StepperResult plain) {
  netlist.rows = before(std::move(netlist.rows), plain.violation);
  plain.rows = before(std::move(plain.rows), plain.violation);
  const std::size_t rows = std::min(netlist.rows.size(), plain.rows.size());
  for (std::size_t i = 0; i < rows; ++i)
    ASSERT_EQ(netlist.rows[i], plain.rows[i]) << "row " << i << " in step " << plain.rows[i].step;
  EXPECT_EQ(netlist.rows.size(), plain.rows.size());
  EXPECT_EQ(netlist.credits, plain.credits);
  EXPECT_EQ(netlist.violation.step, plain.violation ? plain.violation->step : no_step) << netlist.violation.text;
  if (plain.violation) {
    EXPECT_EQ(netlist.violation.node, plain.violation->node);
    return;
  }
  EXPECT_EQ(netlist.end, plain.end);
  EXPECT_EQ(netlist.record.steps_run, plain.record.steps_run);
  const std::size_t changes = std::min(netlist.state.size(), plain.state.size());
  for (std::size_t i = 0; i < changes; ++i)
    ASSERT_EQ(netlist.state[i], plain.state[i])
        << "state " << plain.state[i].field << " of node " << plain.state[i].node << " in step " << plain.state[i].step;
  EXPECT_EQ(netlist.state.size(), plain.state.size());
  EXPECT_EQ(netlist.record.delivered, plain.record.delivered);
  EXPECT_EQ(netlist.record.lost, plain.record.lost);
  EXPECT_EQ(netlist.record.flits_dropped, plain.record.flits_dropped);
  EXPECT_EQ(netlist.record.errors, plain.record.errors);
  EXPECT_EQ(netlist.record.drains, plain.record.drains);
  EXPECT_EQ(netlist.record.reroutes, plain.record.reroutes);
  EXPECT_EQ(netlist.record.injected, plain.record.injected);
  EXPECT_EQ(netlist.record.hops, plain.record.hops);
  EXPECT_EQ(netlist.record.link_load, plain.record.link_load);
  ASSERT_EQ(netlist.record.use.has_value(), plain.record.use.has_value());
  if (netlist.record.use) {
    EXPECT_EQ(netlist.record.use->steps, plain.record.use->steps);
    EXPECT_EQ(netlist.record.use->buffers, plain.record.use->buffers);
  }
  EXPECT_EQ(netlist.record.queue.max, plain.record.queue.max);
  EXPECT_EQ(netlist.record.queue.node, plain.record.queue.node);
  EXPECT_EQ(netlist.record.queue.step, plain.record.queue.step);
  EXPECT_EQ(netlist.record.flit_hops, plain.record.flit_hops);
  EXPECT_EQ(netlist.record.control_hops, plain.record.control_hops);
}

/// Runs packets in the stepper, and in netlists in plain order, in permuted order, with every node in every step, and
/// in three parts. Returns how the run of the stepper ended.
inline StepperEnd expect_lockstep(const LinkNetwork& network, const Algorithm& algorithm,
                                  const std::vector<Packet>& packets, std::uint64_t seed, Step max_steps,
                                  double stall_rate = 0, const std::string& selection = "least-occupied",
                                  const PlainRules& rules = {}, const Unreachable* unreachable = nullptr,
                                  const LinkErrors* errors = nullptr) {
  ListSource for_stepper(packets);
  StepperOptions plain_options;
  plain_options.seed = seed;
  plain_options.max_steps = max_steps;
  plain_options.stall_rate = stall_rate;
  plain_options.selection = selection;
  plain_options.rules = rules;
  plain_options.unreachable = unreachable;
  plain_options.errors = errors;
  const StepperResult plain = run_stepper(network, algorithm, for_stepper, plain_options);
  for (int variant = 0; variant < 4 && !testing::Test::HasFatalFailure(); ++variant) {
    SCOPED_TRACE("variant " + std::to_string(variant));
    ListSource for_netlist(packets);
    NetlistRunOptions options;
    options.network.seed = seed;
    options.network.unreachable = unreachable;
    options.network.errors = errors;
    options.network.shuffle = variant == 1 ? seed + 17 : 0;
    options.network.wake_all = variant == 2;
    options.network.threads = variant == 3 ? 3 : 1;
    options.network.stall_rate = stall_rate;
    options.max_steps = max_steps;
    expect_same(run_netlist(network, algorithm, for_netlist, options), plain);
  }
  return plain.end;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/message_simulation.hpp>

#include <starloom/message/links/plan_run.hpp>
#include <starloom/simulation/links/packet_sums.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {

SimulationResult simulate_messages(const SimulationSetup& setup) {
  const std::vector<Packet> packets = all_packets(*setup.traffic).list();
  PlanRun run = run_plan(*setup.network->as<Grid>(), packets, *setup.algorithm->plan(), setup.algorithm->declaration());

  SimulationResult result;
  const auto left = static_cast<std::int64_t>(packets.size()) - run.record.delivered_count;
  result.outcome = left > 0 ? Outcome::incomplete : Outcome::completed;
  if (left > 0) result.explanation.push_back(counted(left, "packet") + " undelivered in total");
  if (run.violation) {
    result.outcome = Outcome::violation;
    result.violation = *run.violation;
    locate(result.violation, setup.network->graph);
  }
  result.record = std::move(run.record);
  result.hops_counted = false;
  result.sums = sums_of(result.record, setup.network->graph, setup.algorithm->declaration(), {});
  return result;
}

}  // namespace starloom::links

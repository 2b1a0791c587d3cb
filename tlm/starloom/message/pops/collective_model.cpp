// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/collective_model.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <starloom/algorithms/data_sum/data_sum.hpp>
#include <starloom/message/pops/coupler_audit.hpp>
#include <starloom/message/pops/requirements.hpp>

namespace starloom::pops {

MessageRun broadcast(const Pops& pops, const std::vector<NodeId>& speakers, const MessageLimits& limits) {
  MessageRun run;
  std::vector<std::int64_t> spoken(static_cast<std::size_t>(pops.groups()), 0);
  for (const NodeId speaker : speakers) {
    if (limits.reached(run.units, 1, run.units)) break;
    run.slots.push_back({pops.groups(), pops.nodes(), 0, pops.nodes()});
    run.delivered.push_back(static_cast<std::int32_t>(++run.units));
    run.max_load = std::max(run.max_load, ++spoken[static_cast<std::size_t>(pops.group_of(speaker))]);
  }
  run.data_drives = run.units * pops.groups();
  run.delivered.resize(speakers.size(), -1);
  run.undelivered = static_cast<std::int64_t>(speakers.size()) - run.units;
  run.finished = run.undelivered == 0;
  return run;
}

MessageRun run_model(const BroadcastAlgorithm& algorithm, const MessageLimits& limits) {
  return broadcast(algorithm.pops(), algorithm.speakers(), limits);
}

MessageRun run_model(const DataSumAlgorithm& algorithm, const MessageLimits& limits) {
  return sum_values(algorithm.pops(), algorithm.values(), limits);
}

MessageRun sum_values(const Pops& pops, std::vector<std::int64_t> values, const MessageLimits& limits) {
  require_couplers(pops);
  const DataSumProgram program(pops);
  CouplerAudit couplers(pops);
  MessageRun run;
  std::vector<NodeId> speaker(static_cast<std::size_t>(pops.couplers()), no_node);  // [coupler] its last driver
  for (; run.units < program.slots() && !limits.reached(run.units, 1, run.units); ++run.units) {
    const std::int64_t slot = run.units;
    couplers.next_slot();
    SlotCounts counts;
    for (NodeId node = 0; node < pops.nodes(); ++node) {
      const std::int32_t to = program.sends_to(node, slot);
      if (to == no_group) continue;
      ++counts.drives;
      couplers.drive(to, pops.group_of(node));
      speaker[static_cast<std::size_t>(pops.coupler(to, pops.group_of(node)))] = node;
    }
    if (couplers.collisions() > 0) throw std::logic_error("two partial sums meet in slot " + std::to_string(slot));
    const std::vector<std::int64_t> before = values;
    for (NodeId node = 0; node < pops.nodes(); ++node) {
      const std::int32_t from = program.samples(node, slot);
      if (from == no_group) continue;
      ++counts.listeners;
      if (!couplers.carries(pops.group_of(node), from)) continue;
      ++counts.delivered;
      values[static_cast<std::size_t>(node)] +=
          before[static_cast<std::size_t>(speaker[static_cast<std::size_t>(pops.coupler(pops.group_of(node), from))])];
    }
    couplers.add_to_load();
    run.slots.push_back(counts);
    run.data_drives += counts.drives;
  }
  run.sum = values.front();
  run.finished = run.units == program.slots();
  run.delivered.assign(values.size(), run.finished ? static_cast<std::int32_t>(run.units) : -1);
  if (!run.finished) run.undelivered = pops.nodes();
  run.max_load = couplers.max_load();
  return run;
}

}  // namespace starloom::pops

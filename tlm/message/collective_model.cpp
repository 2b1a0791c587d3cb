#include "message/collective_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "controllers/data_sum/data_sum.hpp"
#include "message/coupler_audit.hpp"
#include "message/requirements.hpp"

namespace starloom {

MessageRun broadcast(const Pops& pops, const std::vector<NodeId>& speakers) {
  MessageRun run;
  std::vector<std::int64_t> spoken(static_cast<std::size_t>(pops.groups()), 0);
  for (const NodeId speaker : speakers) {
    run.slots.push_back({pops.groups(), pops.nodes(), 0, pops.nodes()});
    run.delivered.push_back(static_cast<std::int32_t>(run.slots.size()));
    run.max_load = std::max(run.max_load, ++spoken[static_cast<std::size_t>(pops.group_of(speaker))]);
  }
  run.units = static_cast<std::int64_t>(run.slots.size());
  run.data_drives = run.units * pops.groups();
  run.finished = true;
  return run;
}

SumRun sum_values(const Pops& pops, std::vector<std::int64_t> values) {
  require_couplers(pops);
  const DataSumProgram program(pops);
  CouplerAudit couplers(pops);
  SumRun run;
  std::vector<NodeId> speaker(static_cast<std::size_t>(pops.couplers()), no_node);  // [coupler] its last driver
  for (std::int64_t slot = 0; slot < program.slots(); ++slot) {
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
  run.units = program.slots();
  run.delivered.assign(values.size(), static_cast<std::int32_t>(program.slots()));
  run.max_load = couplers.max_load();
  run.finished = true;
  return run;
}

}  // namespace starloom

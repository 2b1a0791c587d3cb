// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/plan_model.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <starloom/algorithms/comparator_sort/merge_exchange.hpp>
#include <starloom/message/pops/coupler_audit.hpp>
#include <starloom/message/pops/requirements.hpp>

namespace starloom::pops {
namespace {

/// Executes plans, one after another, on one network.
class PlanRunner {
 public:
  explicit PlanRunner(const Pops& pops)
      : pops_(pops), couplers_(pops), relaying_(static_cast<std::size_t>(pops.nodes())) {}

  /// Appends the plan's slots to the run; false if a limit ends them early. \throws std::logic_error if two packets
  /// collide.
  bool carry_out(const Plan& plan, const std::vector<NodeId>& destination, const MessageLimits& limits,
                 MessageRun& run) {
    order_.assign(static_cast<std::size_t>(plan.rounds), {});
    for (NodeId source = 0; source < pops_.nodes(); ++source)
      if (destination[static_cast<std::size_t>(source)] != no_node)
        order_[static_cast<std::size_t>(plan.round[static_cast<std::size_t>(source)])].push_back(source);
    for (const std::vector<NodeId>& packets : order_) {
      std::fill(relaying_.begin(), relaying_.end(), false);
      for (int slot = 0; slot < plan.slots_per_round; ++slot) {
        if (limits.reached(run.units, 1, run.units)) return false;
        couplers_.next_slot();
        for (const NodeId source : packets) {
          const NodeId relay = plan.relay[static_cast<std::size_t>(source)];
          const std::int32_t from = pops_.group_of(slot == 0 ? source : relay);
          const bool last = slot + 1 == plan.slots_per_round;
          const NodeId to = last ? destination[static_cast<std::size_t>(source)] : relay;
          couplers_.drive(pops_.group_of(to), from);
          if (last) continue;
          if (relaying_[static_cast<std::size_t>(relay)])
            throw std::logic_error("the plan has two packets at " + pops_.node_name(relay));
          relaying_[static_cast<std::size_t>(relay)] = true;
        }
        if (couplers_.collisions() > 0)
          throw std::logic_error("the plan drives a coupler twice in slot " + std::to_string(run.slots.size()));
        couplers_.add_to_load();
        const auto count = static_cast<std::int64_t>(packets.size());
        run.slots.push_back({count, count, 0, count});
        run.data_drives += count;
        run.max_load = couplers_.max_load();
        ++run.units;
      }
    }
    return true;
  }

 private:
  Pops pops_;
  CouplerAudit couplers_;
  std::vector<bool> relaying_;
  std::vector<std::vector<NodeId>> order_;  ///< [round] sources
};

}  // namespace

MessageRun follow_plan(const Pops& pops, const std::vector<NodeId>& destination, const Plan& plan,
                       const MessageLimits& limits) {
  require_permutation(pops, destination);
  require_couplers(pops);
  MessageRun run;
  run.finished = PlanRunner(pops).carry_out(plan, destination, limits, run);
  run.delivered.assign(destination.size(), -1);
  for (std::size_t source = 0; source < destination.size(); ++source) {
    if (destination[source] == no_node) continue;
    const std::int32_t arrival = (plan.round[source] + 1) * plan.slots_per_round;
    if (arrival <= run.units) run.delivered[source] = arrival;
    else ++run.undelivered;
  }
  return run;
}

MessageRun sort_packets(const Pops& pops, const std::vector<NodeId>& destination, const MessageLimits& limits) {
  require_full_permutation(pops, destination);
  require_couplers(pops);
  MessageRun run;
  PlanRunner runner(pops);
  std::vector<NodeId> keys = destination;
  std::vector<NodeId> partners(destination.size());
  for (const ComparatorStage& stage : merge_exchange(pops.nodes())) {
    for (NodeId node = 0; node < pops.nodes(); ++node)
      partners[static_cast<std::size_t>(node)] = stage.partner(node, pops.nodes());
    if (!runner.carry_out(plan_permutation(pops, partners), partners, limits, run)) {
      run.undelivered = pops.nodes();
      run.delivered.assign(destination.size(), -1);
      return run;
    }
    for (NodeId node = 0; node < pops.nodes(); ++node) {
      const NodeId partner = partners[static_cast<std::size_t>(node)];
      if (partner > node && keys[static_cast<std::size_t>(partner)] < keys[static_cast<std::size_t>(node)])
        std::swap(keys[static_cast<std::size_t>(node)], keys[static_cast<std::size_t>(partner)]);
    }
  }
  for (NodeId node = 0; node < pops.nodes(); ++node)
    if (keys[static_cast<std::size_t>(node)] != node) throw std::logic_error("the packets are not sorted");
  run.delivered.assign(destination.size(), static_cast<std::int32_t>(run.slots.size()));
  run.finished = true;
  return run;
}

MessageRun run_model(const OfflineAlgorithm& algorithm, const MessageLimits& limits) {
  return follow_plan(algorithm.pops(), algorithm.destination(), algorithm.plan(), limits);
}

MessageRun run_model(const ComparatorSortAlgorithm& algorithm, const MessageLimits& limits) {
  return sort_packets(algorithm.pops(), algorithm.destination(), limits);
}

}  // namespace starloom::pops

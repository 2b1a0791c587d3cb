// SPDX-License-Identifier: Apache-2.0
#include "support/pops_stepper.hpp"

#include <algorithm>

namespace starloom::pops {
namespace {

struct Coupler {
  int drivers = 0;
  Message message;
};

}  // namespace

SteppedRun run_stepper(const Pops& pops, ControllerArray& controllers, const Program& program, std::uint64_t seed,
                       const Stepping& stepping) {
  SteppedRun run;
  const auto nodes = static_cast<std::size_t>(pops.nodes());
  std::vector<Coupler> couplers(static_cast<std::size_t>(pops.couplers()));
  std::vector<std::int64_t> load(couplers.size(), 0);
  std::vector<Message> heard(nodes);
  std::vector<char> has_heard(nodes, 0);
  std::vector<std::int32_t> sampled(nodes);
  run.delivered.assign(nodes, -1);
  SlotContext context;
  context.pops = &pops;
  context.seed = seed;
  const auto unfinished = [&] {
    for (NodeId node = 0; node < pops.nodes(); ++node)
      if (controllers.at(node).unfinished()) return true;
    return false;
  };
  for (Step slot = 0;; ++slot) {
    context.slot = slot;
    if (program.slots == no_step && context.drain_from == no_step && slot % program.cycle_slots == 0 && !unfinished()) {
      context.drain_from = run.drain_from = slot;
      run.units = slot / program.cycle_slots;
    }
    const bool over = program.slots != no_step
                          ? slot == program.slots
                          : context.drain_from != no_step && slot == context.drain_from + program.drain_slots;
    run.finished = over;
    const bool in_drain = context.drain_from != no_step;
    const Step ahead = in_drain ? 1 : program.cycle_slots - slot % program.cycle_slots;  // to the next chance to end
    const bool limit = slot + ahead > stepping.slot_limit && (in_drain || slot % program.cycle_slots == 0);
    SlotCounts counts;
    for (std::size_t turn = 0; turn < nodes; ++turn) {
      const auto node = stepping.order.empty() ? turn : static_cast<std::size_t>(stepping.order[turn]);
      SlotFrame frame;
      frame.node = static_cast<NodeId>(node);
      frame.heard = has_heard[node] != 0 ? &heard[node] : nullptr;
      context.further.clear();
      context.delivered.clear();
      SlotView view(context, frame);
      controllers.at(frame.node).slot(view);
      if (stepping.damage) stepping.damage(context, frame);
      if (!context.breaches.empty() && run.breach == nullptr) run.breach = context.breaches.front().rule;
      for (const auto& [by, packet] : context.delivered)
        run.delivered[static_cast<std::size_t>(packet)] = static_cast<std::int32_t>(slot);
      sampled[node] = frame.sampled;
      if (over || limit || frame.driven == no_group) continue;
      const std::int32_t group = pops.group_of(frame.node);
      std::vector<std::int32_t> driven{frame.driven};
      for (const auto& [by, further] : context.further) driven.push_back(further);
      for (const std::int32_t to : driven) {
        const auto at = static_cast<std::size_t>(pops.coupler(to, group));
        Coupler& coupler = couplers[at];
        if (coupler.drivers == 0 || !stepping.first_driver_wins) coupler.message = frame.sent;
        if (++coupler.drivers == 2) ++counts.collisions;
        ++counts.drives;
        run.rows.push_back({slot, TraceEvent::drive, frame.sent.kind, frame.node, group, to, frame.sent.packet});
        if (frame.sent.kind == MessageKind::data) {
          ++run.data_drives;
          run.max_load = std::max(run.max_load, ++load[at]);
        } else {
          ++run.ack_drives;
        }
      }
    }
    if (over || limit || run.breach != nullptr) break;
    for (std::size_t node = 0; node < nodes; ++node) {
      has_heard[node] = 0;
      if (sampled[node] == no_group) continue;
      ++counts.listeners;
      TraceRow& row = run.rows.emplace_back();
      row = {slot,
             TraceEvent::listen,
             MessageKind::data,
             static_cast<NodeId>(node),
             sampled[node],
             pops.group_of(static_cast<NodeId>(node)),
             no_packet};
      const Coupler& coupler =
          couplers[static_cast<std::size_t>(pops.coupler(pops.group_of(static_cast<NodeId>(node)), sampled[node]))];
      if (coupler.drivers != 1 && !(stepping.first_driver_wins && coupler.drivers > 1)) continue;
      if (stepping.dead != nullptr && stepping.dead->contains(pops.group_of(static_cast<NodeId>(node)), sampled[node]))
        continue;
      has_heard[node] = 1;
      heard[node] = coupler.message;
      row.kind = heard[node].kind;
      row.packet = heard[node].packet;
      ++counts.delivered;
    }
    for (Coupler& coupler : couplers) coupler.drivers = 0;
    run.slots.push_back(counts);
  }
  std::sort(run.rows.begin(), run.rows.end());
  return run;
}

}  // namespace starloom::pops

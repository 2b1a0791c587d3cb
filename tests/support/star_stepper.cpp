#include "support/star_stepper.hpp"

#include <algorithm>

namespace starloom {
namespace {

struct Coupler {
  int drivers = 0;
  StarMessage message;
};

}  // namespace

SteppedRun step_star(const Pops& pops, StarControllers& controllers, const StarProgram& program, std::uint64_t seed,
                     const StarStepping& stepping) {
  SteppedRun run;
  const auto nodes = static_cast<std::size_t>(pops.nodes());
  std::vector<Coupler> couplers(static_cast<std::size_t>(pops.couplers()));
  std::vector<std::int64_t> load(couplers.size(), 0);
  std::vector<StarMessage> heard(nodes);
  std::vector<char> has_heard(nodes, 0);
  std::vector<std::int32_t> sampled(nodes);
  run.delivered.assign(nodes, -1);
  SlotFrame frame;
  frame.pops = &pops;
  frame.seed = seed;
  for (Step slot = 0;; ++slot) {
    frame.slot = slot;
    if (program.slots == no_step && frame.drain_from == no_step && slot % program.cycle_slots == 0 &&
        std::none_of(controllers.begin(), controllers.end(), [](const auto& c) { return c->unfinished(); })) {
      frame.drain_from = slot;
      run.units = slot / program.cycle_slots;
    }
    const bool over = program.slots != no_step
                          ? slot == program.slots
                          : frame.drain_from != no_step && slot == frame.drain_from + program.drain_slots;
    run.finished = over;
    const bool limit = slot >= stepping.slot_limit && slot % program.cycle_slots == 0;
    SlotCounts counts;
    for (std::size_t turn = 0; turn < nodes; ++turn) {
      const auto node = stepping.order.empty() ? turn : static_cast<std::size_t>(stepping.order[turn]);
      frame.clear_decisions();
      frame.node = static_cast<NodeId>(node);
      frame.heard = has_heard[node] != 0 ? &heard[node] : nullptr;
      SlotView view(frame);
      controllers[node]->slot(view);
      if (stepping.damage) stepping.damage(frame);
      if (frame.breach != nullptr && run.breach == nullptr) run.breach = frame.breach;
      for (const PacketId packet : frame.delivered)
        run.delivered[static_cast<std::size_t>(packet)] = static_cast<std::int32_t>(slot);
      sampled[node] = frame.sampled;
      if (over || limit) continue;
      const std::int32_t group = pops.group_of(frame.node);
      for (const std::int32_t to : frame.driven) {
        const auto at = static_cast<std::size_t>(pops.coupler(to, group));
        Coupler& coupler = couplers[at];
        if (coupler.drivers == 0 || !stepping.first_driver_wins) coupler.message = frame.sent;
        if (++coupler.drivers == 2) ++counts.collisions;
        ++counts.drives;
        run.rows.push_back({slot, StarEvent::drive, frame.sent.kind, frame.node, group, to, frame.sent.packet});
        if (frame.sent.kind == StarKind::data) {
          ++run.data_drives;
          run.max_load = std::max(run.max_load, ++load[at]);
        } else {
          ++run.ack_drives;
        }
      }
      counts.listeners += frame.sampled != no_group ? 1 : 0;
    }
    if (over || limit || run.breach != nullptr) break;
    for (std::size_t node = 0; node < nodes; ++node) {
      has_heard[node] = 0;
      if (sampled[node] == no_group) continue;
      StarRow& row = run.rows.emplace_back();
      row = {slot,           StarEvent::listen,
             StarKind::data, static_cast<NodeId>(node),
             sampled[node],  pops.group_of(static_cast<NodeId>(node)),
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

}  // namespace starloom

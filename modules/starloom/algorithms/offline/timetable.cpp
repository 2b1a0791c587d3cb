// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/offline/timetable.hpp>

namespace starloom::pops {

Timetable::Timetable(const Pops& pops, const std::vector<NodeId>& destination, const Plan& plan)
    : slots_(plan.slots()), own_(destination.size()) {
  const bool relayed = plan.slots_per_round == 2;
  if (relayed) relays_.resize(static_cast<std::size_t>(plan.rounds) * destination.size());
  for (std::size_t source = 0; source < destination.size(); ++source) {
    const NodeId to = destination[source];
    if (to == no_node) continue;
    const std::int32_t from_group = pops.group_of(static_cast<NodeId>(source)), to_group = pops.group_of(to);
    const std::int32_t first = plan.round[source] * plan.slots_per_round;
    Own &sender = own_[source], &receiver = own_[static_cast<std::size_t>(to)];
    sender.send_slot = first;
    receiver.receive_slot = first + plan.slots_per_round - 1;
    if (relayed) {
      const NodeId relay = plan.relay[source];
      sender.send_to = receiver.receive_from = pops.group_of(relay);
      relays_[static_cast<std::size_t>(plan.round[source]) * own_.size() + static_cast<std::size_t>(relay)] = {
          from_group, to_group};
    } else {
      sender.send_to = to_group;
      receiver.receive_from = from_group;
    }
  }
}

}  // namespace starloom::pops

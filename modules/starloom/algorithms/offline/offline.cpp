// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/offline/offline.hpp>

namespace starloom::pops {

void OfflineController::slot(SlotView& view) {
  const NodeId node = view.node();
  const Message* const heard = view.heard();
  const std::int64_t slot = view.slot();
  if (heard != nullptr && timetable_->receive_slot(node) == slot - 1) {
    if (heard->destination != node) view.breach("the schedule delivered a packet to the wrong processor");
    final_ = heard->packet;
    view.deliver(final_);
  }
  if (slot >= timetable_->slots()) return;
  const std::int32_t own_to = timetable_->sends_to(node, slot), pass_to = timetable_->passes_to(node, slot);
  if (own_to != no_group) {
    view.drive(own_to, own_);
    own_.packet = no_packet;
  }
  if (pass_to != no_group && heard != nullptr) view.drive(pass_to, *heard);
  const std::int32_t from = timetable_->samples(node, slot);
  if (from != no_group) view.sample(from);
}

}  // namespace starloom::pops

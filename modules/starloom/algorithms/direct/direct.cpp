// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/direct/direct.hpp>

namespace starloom::pops {

void DirectController::slot(SlotView& view) {
  const Message* const heard = view.heard();
  if (view.slot() % DirectRules::cycle_slots == 0) {
    if (heard != nullptr && asked_) own_.packet = no_packet;
    if (view.draining()) return;
    asked_ = own_.packet != no_packet &&
             rules_->takes_part(view.seed(), view.node(), view.slot() / DirectRules::cycle_slots, tries_);
    if (asked_) {
      ++tries_;
      view.drive(view.pops().group_of(own_.destination), own_);
    }
    if (source_group_ != no_group) view.sample(source_group_);
    return;
  }
  if (heard != nullptr && heard->destination == view.node()) {
    final_ = heard->packet;
    view.deliver(final_);
    view.drive(source_group_, {MessageKind::ack, heard->packet, heard->destination, 0});
    source_group_ = no_group;
  }
  if (asked_) view.sample(view.pops().group_of(own_.destination));
}

}  // namespace starloom::pops

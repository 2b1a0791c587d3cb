// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/randomized.hpp>

namespace starloom::pops {

void RandomizedController::sample(SlotView& view, std::int32_t group) {
  sampled_ = group;
  if (group != no_group) view.sample(group);
}

/// An arriving copy finds the buffer empty: the classes ensure that.
void RandomizedController::keep(SlotView& view) {
  if (passing_.packet != no_packet) view.breach("a packet arrived although the buffer for passing on was full");
  passing_ = *view.heard();
}

void RandomizedController::receive_final(SlotView& view) {
  const Message* const heard = view.heard();
  if (heard == nullptr || heard->destination != view.node()) return;
  if (final_ != no_packet) view.breach("a packet arrived twice");
  final_ = heard->packet;
  view.deliver(heard->packet);
}

void RandomizedController::hand_over(SlotView& view, std::int64_t cycle) {
  if (passing_.packet != no_packet && rules_->serves(passing_.destination, cycle)) {
    view.drive(view.pops().group_of(passing_.destination), passing_);
    passing_.packet = no_packet;
  }
  sample(view, final_ != no_packet ? no_group : rules_->last_sample(view.node(), cycle));
}

void RandomizedController::take_turn(SlotView& view) {
  receive_final(view);
  if (view.slot() >= view.pops().group_size()) return;
  if (view.slot() == view.node() && holds_own()) {
    view.drive(0, own_);
    own_.packet = no_packet;
  }
  view.sample(0);
}

void RandomizedController::slot(SlotView& view) {
  if (rules_->round_robin()) return take_turn(view);
  const NodeId node = view.node();
  if (view.draining()) {
    const Step drained = view.slot() - view.drain_from();
    receive_final(view);
    if (drained < rules_->drain_slots()) hand_over(view, view.drain_from() / RandomizedRules::cycle_slots + drained);
    return;
  }
  const std::int64_t cycle = view.slot() / RandomizedRules::cycle_slots;
  const Message* const heard = view.heard();
  switch (view.slot() % RandomizedRules::cycle_slots) {
    case 0:
      receive_final(view);
      asked_ = holds_own()
                   ? rules_->random_group(view.seed(), node, own_.destination, cycle, rules_->participation(cycle))
                   : no_group;
      if (asked_ != no_group) view.drive(asked_, own_);
      return sample(view, rules_->first_sample(node, cycle));
    case 1:
      handed_to_ = no_group;
      if (heard != nullptr) {
        keep(view);
        relayed_from_ = sampled_;
        handed_to_ = rules_->temporary_group(passing_.destination, cycle);
        view.drive(handed_to_, passing_);
        passing_.packet = no_packet;
      }
      return sample(view, rules_->second_sample(node, cycle));
    case 2:
      if (heard != nullptr && !rules_->refuses(view.pops().group_of(node), heard->destination)) {
        keep(view);
        view.drive(sampled_, {MessageKind::ack, passing_.packet, passing_.destination, 0});
      }
      return sample(view, handed_to_);
    case 3:
      if (heard != nullptr) view.drive(relayed_from_, *heard);
      return sample(view, asked_);
    default:
      if (heard != nullptr) {
        if (heard->packet != own_.packet) view.breach("an acknowledgement reached the wrong processor");
        own_.packet = no_packet;
      }
      if (rules_->options().literal) {
        hand_over(view, cycle);
        passing_.packet = no_packet;
        return;
      }
      return hand_over(view, cycle);
  }
}

}  // namespace starloom::pops

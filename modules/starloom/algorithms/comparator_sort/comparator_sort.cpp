// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/comparator_sort/comparator_sort.hpp>

namespace starloom::pops {

std::vector<NodeId> stage_permutation(const ComparatorStage& stage, NodeId nodes) {
  std::vector<NodeId> partners(static_cast<std::size_t>(nodes));
  for (NodeId node = 0; node < nodes; ++node) partners[static_cast<std::size_t>(node)] = stage.partner(node, nodes);
  return partners;
}

SortProgram::SortProgram(const Pops& pops)
    : stages_(merge_exchange(pops.nodes())),
      slots_per_stage_(
          pops.group_size() == 1 ? 1 : std::int64_t{2} * ((pops.group_size() + pops.groups() - 1) / pops.groups())) {
  for (const ComparatorStage& stage : stages_) {
    const std::vector<NodeId> partners = stage_permutation(stage, pops.nodes());
    timetables_.emplace_back(pops, partners, plan_permutation(pops, partners));
  }
}

void ComparatorSortController::slot(SlotView& view) {
  const NodeId node = view.node();
  const Message* const heard = view.heard();
  const std::int64_t length = program_->slots_per_stage();
  // An arrival belongs to the stage of the slot before.
  if (view.slot() > 0) {
    const std::int64_t before = view.slot() - 1, stage = before / length;
    if (heard != nullptr && program_->timetable(stage).receive_slot(node) == before % length) incoming_ = *heard;
    if (view.slot() % length == 0) {
      if (incoming_.packet == no_packet) return view.breach("a partner's packet did not arrive");
      const NodeId partner = program_->stage(stage).partner(node, view.pops().nodes());
      const bool smaller = incoming_.destination < own_.destination;
      if (partner != node && smaller == (node < partner)) own_ = incoming_;
      incoming_.packet = no_packet;
    }
  }
  if (view.slot() >= program_->slots()) {
    if (own_.destination != node) view.breach("the packets are not sorted");
    return view.deliver(own_.packet);
  }
  const std::int64_t slot = view.slot() % length;
  const Timetable& timetable = program_->timetable(view.slot() / length);
  const std::int32_t own_to = timetable.sends_to(node, slot), pass_to = timetable.passes_to(node, slot);
  if (own_to != no_group) view.drive(own_to, own_);
  if (pass_to != no_group && heard != nullptr) view.drive(pass_to, *heard);
  const std::int32_t from = timetable.samples(node, slot);
  if (from != no_group) view.sample(from);
}

}  // namespace starloom::pops

// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/schedule_player/one_bend_controller.hpp>

namespace starloom::links {

const std::vector<StateField>& OneBendController::state_fields() {
  static const std::vector<StateField> fields = {
      {"start", 32, {}}, {"first_leg", 1, {"horizontal", "vertical"}}, {"packet", 2, {"none", "waits", "left"}}};
  return fields;
}

void OneBendController::publish(std::uint32_t* values) const {
  const bool planned = start_ != no_step;
  values[0] = planned ? static_cast<std::uint32_t>(start_) : 0;
  values[1] = first_;
  values[2] = !planned ? 0 : left_ ? 2 : 1;
}

void OneBendController::step(WormView& view) {
  const auto port_of = [&view](NodeId destination, std::uint16_t tag) {
    return one_bend_port(view.grid(), view.node(), destination, static_cast<FirstSegment>(tag));
  };
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    const Flit& head = view.arrival(in);
    if (head.destination == view.node()) view.eject(in);
    else view.route(in, port_of(head.destination, head.tag));
  }
  if (view.waiting() == 0 || start_ == no_step) return;
  if (view.step() < start_) return view.wake_at(start_);
  if (view.step() > start_) return;
  view.inject(port_of(view.packet(view.next_packet()).destination, first_), first_);
  left_ = true;
}

Port one_bend_port(const Grid& mesh, NodeId at, NodeId destination, OneBendController::FirstSegment first) {
  const int first_axis = first == OneBendController::horizontal ? 1 : 0;
  const std::int32_t offset = mesh.offset(at, destination, first_axis);
  if (offset != 0) return mesh.port_along(first_axis, offset);
  return mesh.port_along(1 - first_axis, mesh.offset(at, destination, 1 - first_axis));
}

}  // namespace starloom::links

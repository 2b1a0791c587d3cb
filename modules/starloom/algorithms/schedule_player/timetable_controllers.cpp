// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/schedule_player/timetable_controllers.hpp>

namespace starloom::links {

void MovingTimetableController::step(WormView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    const Flit& head = view.arrival(in);
    if (head.destination == view.node()) {
      view.eject(in);
    } else if (const auto* move = part_.find(head.packet, view.step())) {
      view.route(in, move->port);
    }
  }
  for (PacketId packet = view.next_packet(); packet != no_packet; packet = view.packet_behind(packet)) {
    const auto* move = part_.find(packet, view.step());
    if (move == nullptr) continue;
    if (move->leaves == view.step()) view.inject_packet(packet, move->port, /*tag=*/0, /*header=*/{});
    else view.wake_at(move->leaves);
  }
}

void StayingTimetableController::take_in(FlitView& view, const Flit& flit) const {
  if (flit.destination == view.node()) return view.eject(flit);
  const auto* move = part_.find(flit.packet, view.step());
  if (move == nullptr) return;  // a flit without a move breaks the contract, and the fabric reports it
  if (move->leaves == view.step()) view.send(move->port, flit);
  else view.push(move->port, flit, /*rank=*/move->leaves);
}

void StayingTimetableController::step(FlitView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) take_in(view, view.arrival(lowest_port(left)));
  if (view.waiting() > 0)
    if (const auto* move = part_.find(view.next_packet(), view.step())) {
      if (move->leaves == view.step()) view.send(move->port, view.accept());
      else view.wake_at(move->leaves);
    }
  for (Port port = 0; port < view.buffers(); ++port) {
    while (!view.empty(port)) {
      const auto* move = part_.find(view.front(port).packet, view.step());
      if (move == nullptr) break;
      if (move->leaves > view.step()) {
        view.wake_at(move->leaves);
        break;
      }
      view.send(move->port, view.pop(port));
    }
  }
}

}  // namespace starloom::links

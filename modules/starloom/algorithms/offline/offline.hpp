// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `offline`: a processor that follows the timetable of a plan.
#include <starloom/algorithms/offline/timetable.hpp>
#include <starloom/control/pops/controller.hpp>

namespace starloom::pops {

class OfflineController final : public Controller {
 public:
  OfflineController(const Timetable& timetable, PacketId packet, NodeId destination)
      : timetable_(&timetable), own_{MessageKind::data, packet, destination, 0} {}

  void slot(SlotView& view) override;
  std::array<PacketId, buffer_slots> buffered() const override { return {own_.packet, no_packet, final_}; }

 private:
  const Timetable* timetable_;
  Message own_;                 ///< packet `no_packet` once it has left
  PacketId final_ = no_packet;  ///< the packet addressed to it, once it has arrived
};

}  // namespace starloom::pops

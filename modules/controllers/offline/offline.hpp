#pragma once
/// \file `offline`: a processor that follows the timetable of a plan.
#include "controllers/offline/star_timetable.hpp"
#include "controllers/star_controller.hpp"

namespace starloom {

class OfflineController final : public StarController {
 public:
  OfflineController(const StarTimetable& timetable, PacketId packet, NodeId destination)
      : timetable_(&timetable), own_{StarKind::data, packet, destination, 0} {}

  void slot(SlotView& view) override;
  std::array<PacketId, star_buffer_places> buffered() const override { return {own_.packet, no_packet, final_}; }

 private:
  const StarTimetable* timetable_;
  StarMessage own_;             ///< packet `no_packet` once it has left
  PacketId final_ = no_packet;  ///< the packet addressed to it, once it is here
};

}  // namespace starloom

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

 private:
  const StarTimetable* timetable_;
  StarMessage own_;
};

}  // namespace starloom

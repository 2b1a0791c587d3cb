#pragma once
/// \file Controllers that hold their node's part of a timetable and follow it.
#include "controllers/controller.hpp"
#include "controllers/replay/timetable.hpp"

namespace starloom {

/// Packets never stand between their start and their end.
class MovingTimetableController final : public WormController {
 public:
  explicit MovingTimetableController(const Timetable& timetable) : timetable_(&timetable) {}
  void step(WormView& view) override;

 private:
  const Timetable* timetable_;
};

/// Packets may stay in a node, in the buffer of the port by which they leave.
class StayingTimetableController final : public FlitController {
 public:
  explicit StayingTimetableController(const Timetable& timetable) : timetable_(&timetable) {}
  void step(FlitView& view) override;

 private:
  void take_in(FlitView& view, const Flit& flit) const;

  const Timetable* timetable_;
};

}  // namespace starloom

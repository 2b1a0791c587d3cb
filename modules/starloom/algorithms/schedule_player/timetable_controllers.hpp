// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Controllers that have their node's part of a timetable and follow it.
#include <starloom/algorithms/schedule_player/timetable.hpp>
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// Packets never wait between their start and their end.
class MovingTimetableController final : public WormController {
 public:
  explicit MovingTimetableController(Timetable::Part part) : part_(part) {}
  void step(WormView& view) override;

 private:
  Timetable::Part part_;
};

/// Packets may stay in a node, in the buffer of the port by which they leave.
class StayingTimetableController final : public FlitController {
 public:
  explicit StayingTimetableController(Timetable::Part part) : part_(part) {}
  void step(FlitView& view) override;

 private:
  void take_in(FlitView& view, const Flit& flit) const;

  Timetable::Part part_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The sorting stage of a node, for algorithms that only sort in it.
#include <starloom/algorithms/mesh_sort/sort_station.hpp>

namespace starloom::links {

/// From step 0 until the program is over, the node's packet is sorted by the position of its destination in the mesh
/// in column-major order. It is the only one in buffer 0.
class SortStage {
 public:
  explicit SortStage(std::int32_t side) : station_(side) {}

  /// Runs one step; the step after the last of the program only takes in the packet that has arrived.
  void step(FlitView& view, const MeshSortProgram& program) {
    const auto key_of = [rows = view.grid().side(0), columns = view.grid().side(1)](const Flit& packet) {
      return static_cast<SortStation::Key>(packet.destination % columns * rows + packet.destination / columns);
    };
    SortStation::Key other = SortStation::none;
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Flit& flit = view.arrival(lowest_port(left));
      if (flit.kind == FlitKind::key) other = flit.header[0];
      else view.push(0, flit, 0);
    }
    if (view.step() == 0 && view.waiting() > 0) {
      const Flit packet = view.accept();
      station_.enter(key_of(packet));
      view.push(0, packet, 0);
    }
    if (view.step() >= program.steps()) return station_.settle(view, program, view.step(), key_of);
    station_.step(view, program, view.step(), other, key_of);
    if (station_.key() != SortStation::none || !view.empty(0)) view.wake_at(view.step() + 1);
  }

  /// For waves: 1 + the key, 0 without one.
  std::uint32_t state() const { return station_.key() + 1; }

 private:
  SortStation station_;
};

}  // namespace starloom::links

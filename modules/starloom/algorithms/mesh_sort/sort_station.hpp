// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The state of a node that takes part in a sort: its key, and the packet that belongs to it or will.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// Sorting with moving keys (Rajasekaran and Overholt 1990, section 3). Keys are copied, packets never: a node
/// compares its key with a neighbour's, keeps the lower or the higher one, and in the next step sends its packet
/// after the key, if that moved. Packets that are exchanged independently of their keys take their keys along. A node
/// without a key sends none, and counts as one with the greatest key.
class SortStation {
 public:
  using Key = std::uint32_t;
  static constexpr Key none = std::numeric_limits<Key>::max();

  explicit SortStation(std::int32_t side) : side_(side) {}

  Key key() const { return key_; }
  /// Enters the node's own packet into the sort.
  void enter(Key key) { key_ = key; }

  /// One step of the sort, the first of which is 0. `other`: the key that has arrived, or `none`. `key_of(flit)` is
  /// the key of a packet. If the node has a packet, it is the only one in buffer 0.
  template <class KeyOf>
  void step(FlitView& view, const MeshSortProgram& program, Step step, Key other, const KeyOf& key_of) {
    const SortPhase& phase = program.phase(step);
    const auto round = static_cast<std::int32_t>(step - phase.start);
    const std::int32_t index = view.grid().coordinate(view.node(), phase.axis) % side_;
    const std::int32_t line = view.grid().coordinate(view.node(), 1 - phase.axis) % side_;
    settle(view, program, step, key_of);
    if (phase.kind == SortPhase::Kind::exchange) {
      if (const int side = phase.partner(index, line, round); side != 0 && !view.empty(0))
        view.send(view.grid().port_along(phase.axis, side), view.pop(0));
      return;
    }
    if (const int side = round > 0 ? phase.partner(index, line, round - 1) : 0; side != 0) {
      key_ = (side > 0) == phase.ascends(line) ? std::min(key_, other) : std::max(key_, other);
      const bool has_left = !view.empty(0) && key_of(view.front(0)) != key_;
      if (has_left) view.send(view.grid().port_along(phase.axis, side), view.pop(0));
    }
    if (round == phase.rounds || key_ == none) return;
    if (const int side = phase.partner(index, line, round); side != 0)
      view.send(view.grid().port_along(phase.axis, side), key_flit());
  }

  /// After an exchange in the step before `step` (which may be the one after the last), the key is again that of the
  /// packet.
  template <class KeyOf>
  void settle(const FlitView& view, const MeshSortProgram& program, Step step, const KeyOf& key_of) {
    if (step > 0 && program.phase(step - 1).kind == SortPhase::Kind::exchange)
      key_ = view.empty(0) ? none : key_of(view.front(0));
  }

 private:
  Flit key_flit() const {
    Flit flit;
    flit.kind = FlitKind::key;
    flit.header[0] = key_;
    return flit;
  }

  std::int32_t side_;
  Key key_ = none;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/supernode_model.hpp>

#include <algorithm>
#include <utility>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

namespace starloom::links {

SupernodeModel::SupernodeModel(const SupernodeRouter& router, std::int32_t side, std::int32_t slots)
    : router_(router), side_(side), slots_(slots) {
  const auto slot_count = static_cast<std::size_t>(2 * slots);
  supernodes_.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side),
                     {SupernodeNotes(slot_count, no_supernode), std::vector<std::int32_t>(slot_count, no_worm),
                      SuperstepDecision(slots)});
}

void SupernodeModel::store(std::int32_t supernode, std::int32_t index, std::int32_t worm, std::int32_t destination) {
  Supernode& at = supernodes_[static_cast<std::size_t>(supernode)];
  at.notes[static_cast<std::size_t>(index)] = destination;
  at.worms[static_cast<std::size_t>(index)] = worm;
}

void SupernodeModel::run_superstep() {
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    Supernode& at = supernodes_[s];
    const auto supernode = static_cast<std::int32_t>(s);
    decide(router_, position_of(supernode), supersteps_, true, at.notes, at.decision);
    swaps_ += at.decision.swapped;
    for (std::size_t slot = 0; slot < at.decision.swaps.size(); ++slot)
      if (at.decision.swaps[slot] != 0) std::swap(at.worms[slot], at.worms[slot + at.decision.swaps.size()]);
    if (at.decision.kept <= most_kept_) continue;
    most_kept_ = at.decision.kept;
    fullest_ = supernode;
    kept_worm_ = no_worm;
    for (std::size_t index = 0; index < at.worms.size(); ++index)
      if (at.decision.leaves[index] == no_port) kept_worm_ = std::max(kept_worm_, at.worms[index]);
  }
  struct Sent {
    std::int32_t supernode, index, worm, destination;
  };
  std::vector<Sent> sent;
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    Supernode& at = supernodes_[s];
    const auto from = static_cast<std::int32_t>(s);
    for (std::size_t index = 0; index < at.worms.size(); ++index) {
      const Port port = at.decision.leaves[index];
      if (port == no_port) continue;
      using namespace compass;
      const std::int32_t to = port == north   ? from - side_
                              : port == south ? from + side_
                              : port == east  ? from + 1
                                              : from - 1;
      const Port buffer = receiving_buffer(port);
      const std::int32_t slot =
          supernodes_[static_cast<std::size_t>(to)].decision.slot[static_cast<std::size_t>(buffer)];
      sent.push_back({to, ring_of_buffer(buffer) * slots_ + slot, std::exchange(at.worms[index], no_worm),
                      std::exchange(at.notes[index], no_supernode)});
    }
  }
  for (const Sent& worm : sent) store(worm.supernode, worm.index, worm.worm, worm.destination);
  ++supersteps_;
}

void SupernodeModel::run_until_home(bool consumed_at_once) {
  for (bool home = false; !home;) {
    home = all_home();
    run_superstep();
    if (consumed_at_once) consume();
  }
}

void SupernodeModel::consume() {
  for (std::size_t s = 0; s < supernodes_.size(); ++s)
    for (std::size_t index = 0; index < supernodes_[s].notes.size(); ++index)
      if (supernodes_[s].notes[index] == static_cast<std::int32_t>(s)) {
        supernodes_[s].notes[index] = no_supernode;
        supernodes_[s].worms[index] = no_worm;
        ++consumed_;
      }
}

std::vector<std::int32_t> SupernodeModel::destinations(std::int32_t supernode) const {
  std::vector<std::int32_t> list;
  for (const std::int32_t to : supernodes_[static_cast<std::size_t>(supernode)].notes)
    if (to != no_supernode) list.push_back(to);
  return list;
}

std::int32_t SupernodeModel::worms() const {
  std::int32_t count = 0;
  for (const Supernode& at : supernodes_)
    count += static_cast<std::int32_t>(
        std::count_if(at.worms.begin(), at.worms.end(), [](std::int32_t worm) { return worm != no_worm; }));
  return count;
}

bool SupernodeModel::all_home() const {
  for (std::size_t s = 0; s < supernodes_.size(); ++s)
    for (const std::int32_t to : supernodes_[s].notes)
      if (to != no_supernode && to != static_cast<std::int32_t>(s)) return false;
  return true;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `broadcast`: one to all in one slot, because a coupler's message reaches all processors that sample it.
#include <vector>

#include <starloom/control/pops/controller.hpp>

namespace starloom::pops {

/// Packet p, of the source `speakers[p]`, has slot p; all processors know the order.
class BroadcastController final : public Controller {
 public:
  explicit BroadcastController(const std::vector<NodeId>& speakers) : speakers_(&speakers) {}

  void slot(SlotView& view) override {
    if (view.heard() != nullptr) view.deliver(view.heard()->packet);
    if (view.slot() >= static_cast<Step>(speakers_->size())) return;
    const NodeId speaker = (*speakers_)[static_cast<std::size_t>(view.slot())];
    if (speaker == view.node()) view.drive_all({MessageKind::data, static_cast<PacketId>(view.slot()), no_node, 0});
    view.sample(view.pops().group_of(speaker));
  }

 private:
  const std::vector<NodeId>* speakers_;
};

}  // namespace starloom::pops

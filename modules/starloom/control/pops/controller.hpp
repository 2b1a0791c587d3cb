// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing algorithm in one processor of a POPS network, and in all of them.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/pops/slot.hpp>

namespace starloom::pops {

/// The schedule that all processors share.
struct Program {
  Step cycle_slots = 1;  ///< the global observer checks at the beginning of each cycle
  Step drain_slots = 0;  ///< run after the cycle in which the observer found no processor unfinished
  Step slots = no_step;  ///< a program of fixed length; no_step: until no processor is unfinished
};

/// Slots of a processor's buffer.
inline constexpr std::int32_t buffer_slots = 3;

/// A routing algorithm in one processor. It runs in every slot, and once more after the last one to process what it
/// heard there.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual void slot(SlotView& view) = 0;
  /// Read by the global observer at the beginning of a cycle: true while this processor has work to do.
  virtual bool unfinished() const { return false; }
  /// The packets in the processor's buffer after its slot, for waves and audits: by buffer slot, `no_packet` for an
  /// empty one.
  virtual std::array<PacketId, buffer_slots> buffered() const { return {no_packet, no_packet, no_packet}; }
};

/// The controllers of a network, one per processor.
class ControllerArray {
 public:
  virtual ~ControllerArray() = default;
  virtual NodeId size() const = 0;
  virtual Controller& at(NodeId node) = 0;
  virtual const Controller& at(NodeId node) const = 0;
  /// Runs `slot` of the processors of these frames, with one virtual call for all of them.
  virtual void slots(SlotContext& context, SlotFrame* first, const SlotFrame* last) = 0;
};

/// Controllers of one class, in contiguous storage.
template <class T>
class ControllerArrayOf final : public ControllerArray {
 public:
  explicit ControllerArrayOf(std::vector<T> controllers) : controllers_(std::move(controllers)) {}
  NodeId size() const override { return static_cast<NodeId>(controllers_.size()); }
  T& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }
  const T& at(NodeId node) const override { return controllers_[static_cast<std::size_t>(node)]; }
  void slots(SlotContext& context, SlotFrame* first, const SlotFrame* last) override {
    T* const controllers = controllers_.data();
    for (SlotFrame* frame = first; frame != last; ++frame) {
      SlotView view(context, *frame);
      controllers[frame->node].slot(view);
    }
  }

 private:
  std::vector<T> controllers_;
};

/// A controller for each processor: make(node).
template <class Make>
auto controllers_for(const Pops& pops, Make make) {
  using T = decltype(make(NodeId{0}));
  std::vector<T> controllers;
  controllers.reserve(static_cast<std::size_t>(pops.nodes()));
  for (NodeId node = 0; node < pops.nodes(); ++node) controllers.push_back(make(node));
  return std::make_unique<ControllerArrayOf<T>>(std::move(controllers));
}

}  // namespace starloom::pops

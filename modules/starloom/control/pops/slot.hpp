// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface of a processor of a POPS network in one slot: its state and its actions.
///
/// A slot (docs/pops.md, "A slot"): from what it knew before, each processor drives couplers of its group with one
/// message and samples one coupler that leads to its group. It sees the sampled message in the next slot.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/message.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// The part of a slot that all processors share: state that every processor can read, and decisions that few of them
/// make. Engines write the state and read the decisions.
struct SlotContext {
  Step slot = 0;
  const Pops* pops = nullptr;
  std::uint64_t seed = 0;
  Step drain_from = no_step;  ///< the slot in which the global observer reported that no processor is unfinished

  struct Drive {
    NodeId node;
    std::int32_t group;
  };
  struct Delivery {
    NodeId node;
    PacketId packet;
  };
  struct Breach {
    NodeId node;
    const char* rule;
  };
  // In the order of evaluation.
  std::vector<Drive> further;       ///< couplers that processors drive besides their first ones
  std::vector<Delivery> delivered;  ///< packets that have reached their destination
  std::vector<Breach> breaches;     ///< rules of the contract that controllers broke
};

/// One processor in a slot: the message that it heard, and the decisions that nearly all of them make.
struct SlotFrame {
  NodeId node = no_node;
  std::int32_t driven = no_group;   ///< destination group of the (first) coupler driven with `sent`
  std::int32_t sampled = no_group;  ///< source group of the sampled coupler
  const Message* heard = nullptr;   ///< from the coupler sampled in the slot before; null: no message
  Message sent;
};

/// A controller's view of its slot.
class SlotView {
 public:
  SlotView(SlotContext& context, SlotFrame& frame) : context_(context), frame_(frame) {}
  SlotView(const SlotView&) = delete;
  SlotView& operator=(const SlotView&) = delete;

  Step slot() const { return context_.slot; }
  NodeId node() const { return frame_.node; }
  const Pops& pops() const { return *context_.pops; }
  std::uint64_t seed() const { return context_.seed; }
  /// True from the slot on in which the global observer reported that no processor is unfinished.
  bool draining() const { return context_.drain_from != no_step; }
  Step drain_from() const { return context_.drain_from; }
  /// The message of the coupler sampled in the slot before; null for silence and for a collision, which sound the
  /// same.
  const Message* heard() const { return frame_.heard; }

  /// Drives the coupler from the own group to `group`. All couplers driven in a slot take the same message.
  void drive(std::int32_t group, const Message& message) {
    if (!exists(group)) return breach("drove a coupler that does not exist");
    if (frame_.driven == no_group) {
      frame_.sent = message;
      frame_.driven = group;
      return;
    }
    if (message.packet != frame_.sent.packet || message.kind != frame_.sent.kind)
      return breach("drove two messages in one slot");
    context_.further.push_back({frame_.node, group});
  }
  void drive_all(const Message& message) {
    for (std::int32_t group = 0; group < pops().groups(); ++group) drive(group, message);
  }
  /// Samples the coupler from `group` to the own group.
  void sample(std::int32_t group) {
    if (!exists(group)) return breach("sampled a coupler that does not exist");
    if (frame_.sampled != no_group) return breach("sampled two couplers in one slot");
    frame_.sampled = group;
  }
  /// The packet has reached this processor, its destination.
  void deliver(PacketId packet) { context_.delivered.push_back({frame_.node, packet}); }
  /// Reports something that the algorithm's own rules exclude.
  void breach(const char* rule) { context_.breaches.push_back({frame_.node, rule}); }

 private:
  bool exists(std::int32_t group) const {
    return static_cast<std::uint32_t>(group) < static_cast<std::uint32_t>(pops().groups());
  }

  SlotContext& context_;
  SlotFrame& frame_;
};

}  // namespace starloom::pops

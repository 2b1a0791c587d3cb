// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The controller that follows its own entry of a one-bend plan.
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// A node's part of a plan: when its own packet leaves, and its first direction. All other decisions follow from a
/// packet's tag (its first segment) and destination. A worm that has left never waits. The node may have one packet.
class OneBendController final : public WormController {
 public:
  enum FirstSegment : std::uint16_t { horizontal, vertical };  ///< the tag of a head
  static const std::vector<StateField>& state_fields();

  /// A node without a packet, or with a packet that is not part of the plan.
  OneBendController() = default;
  /// \param start  the step in which the packet leaves
  OneBendController(Step start, FirstSegment first) : start_(start), first_(first) {}

  void step(WormView& view) override;
  void publish(std::uint32_t* values) const override;

 private:
  Step start_ = no_step;
  FirstSegment first_ = horizontal;
  bool left_ = false;  ///< the packet has left
};

/// The out-port of a packet with this first segment at a node that is not its destination.
Port one_bend_port(const Grid& mesh, NodeId at, NodeId destination, OneBendController::FirstSegment first);

}  // namespace starloom::links

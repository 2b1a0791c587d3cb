#pragma once
/// \file What a processor of a POPS network sees and may do in one slot, and the base class of its controllers.
///
/// A slot (docs/pops.md, "A slot"): from what it knew before, each processor drives couplers of its group with
/// one message and samples one coupler that leads to its group. What it heard it sees in the next slot.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/star_message.hpp"
#include "topology/pops.hpp"

namespace starloom {

/// What an engine fills in and reads back. Engines write it, controllers see it through a view.
struct SlotFrame {
  // What the processor can know.
  Step slot = 0;
  NodeId node = no_node;
  const Pops* pops = nullptr;
  std::uint64_t seed = 0;
  Step drain_from = no_step;  ///< the slot in which the global observer told all that no processor is unfinished
  const StarMessage* heard = nullptr;  ///< from the coupler sampled in the slot before; null: nothing

  // What it decided.
  StarMessage sent;
  std::vector<std::int32_t> driven;  ///< destination groups of the couplers that take `sent`
  std::int32_t sampled = no_group;   ///< source group of the coupler that it samples
  std::vector<PacketId> delivered;   ///< packets that have reached their destination here
  const char* breach = nullptr;      ///< first rule of the contract that the controller broke, or null

  /// Makes the frame ready for the next processor.
  void clear_decisions() {
    driven.clear();
    sampled = no_group;
    delivered.clear();
  }
};

/// A controller's view of its slot.
class SlotView {
 public:
  explicit SlotView(SlotFrame& frame) : frame_(frame) {}
  SlotView(const SlotView&) = delete;
  SlotView& operator=(const SlotView&) = delete;

  Step slot() const { return frame_.slot; }
  NodeId node() const { return frame_.node; }
  const Pops& pops() const { return *frame_.pops; }
  std::uint64_t seed() const { return frame_.seed; }
  /// True from the slot on in which the global observer told everyone that no processor is unfinished.
  bool draining() const { return frame_.drain_from != no_step; }
  Step drain_from() const { return frame_.drain_from; }
  /// The message of the coupler sampled in the slot before, or null: silence and collision sound alike.
  const StarMessage* heard() const { return frame_.heard; }

  /// Drives the coupler from the own group to `group`. All couplers driven in a slot take the same message.
  void drive(std::int32_t group, const StarMessage& message) {
    if (group < 0 || group >= pops().groups()) return breach("drove a coupler that does not exist");
    if (!frame_.driven.empty() && (message.packet != frame_.sent.packet || message.kind != frame_.sent.kind))
      return breach("drove two messages in one slot");
    frame_.sent = message;
    frame_.driven.push_back(group);
  }
  void drive_all(const StarMessage& message) {
    for (std::int32_t group = 0; group < pops().groups(); ++group) drive(group, message);
  }
  /// Samples the coupler from `group` to the own group.
  void sample(std::int32_t group) {
    if (group < 0 || group >= pops().groups()) return breach("sampled a coupler that does not exist");
    if (frame_.sampled != no_group) return breach("sampled two couplers in one slot");
    frame_.sampled = group;
  }
  /// The packet has reached this processor, its destination.
  void deliver(PacketId packet) { frame_.delivered.push_back(packet); }
  /// Reports something that the algorithm's own rules exclude.
  void breach(const char* rule) {
    if (frame_.breach == nullptr) frame_.breach = rule;
  }

 private:
  SlotFrame& frame_;
};

/// The timetable that all processors share.
struct StarProgram {
  Step cycle_slots = 1;  ///< the global observer looks at the beginning of each cycle
  Step drain_slots = 0;  ///< run after the cycle in which the observer found no processor unfinished
  Step slots = no_step;  ///< a program of fixed length; no_step: until no processor is unfinished
};

/// Places of a processor's buffer.
inline constexpr std::int32_t star_buffer_places = 3;

/// A routing algorithm in one processor. It runs in every slot, and once more after the last to see what it heard
/// there.
class StarController {
 public:
  virtual ~StarController() = default;
  virtual void slot(SlotView& view) = 0;
  /// What the global observer looks at, at the beginning of a cycle: true while this processor has something left to
  /// do.
  virtual bool unfinished() const { return false; }
  /// The packets in the processor's buffer after its slot, for waves and audits: place by place, `no_packet` where one
  /// is empty.
  virtual std::array<PacketId, star_buffer_places> buffered() const { return {no_packet, no_packet, no_packet}; }
};

using StarControllers = std::vector<std::unique_ptr<StarController>>;  ///< [processor]

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rules of `randomized`, from the knowledge of one processor: when it takes part, drives and samples.
///
/// A cycle has five slots. A packet goes from its source to a random group (slot 1), from there to the temporary
/// group of its destination (slot 2); acknowledgements return on the same path (slots 3, 4); then the temporary group
/// sends it to the destination (slot 5). Mei and Rizzi, "Online permutation routing in partitioned optical passive
/// star networks", section III; sizes other than d = g by extensions of this project (docs/algorithms/randomized.md).
#include <cmath>
#include <cstdint>

#include <starloom/control/pops/controller.hpp>
#include <starloom/core/random.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

struct RandomizedOptions {
  double C = 4;          ///< the law of participation expects all except g/C packets per group and cycle to remain
  bool literal = false;  ///< d > g: slot 5 exactly as in the paper, which loses packets
  bool guard = false;    ///< small g: take part with decreasing probability, in turn, once all processors could
  /// d = g: temporary groups advance by one each cycle, so that a dead coupler does not block a packet forever
  bool shift = false;
};

/// If sizes differ, the smaller one, `width` w, determines the cycle. d > g: the processors of a group are d/w
/// *classes* of w; the classes relay in turn, cycle by cycle, and slot 5 serves one class of destinations. d < g: the
/// groups are g/w *blocks* of w; cycle by cycle, packets for the next block take part. For d = g there is one class
/// and one block.
class RandomizedRules {
 public:
  static constexpr int cycle_slots = 5;

  /// \throws InputError if neither size divides the other, C is not finite, below e^(1+1/e) or above 10^6, `literal`
  /// is set although d <= g, or `shift` although d is not g. `dead`: couplers out of service, null if none; it must
  /// outlive the rules. A processor knows those of its own group.
  RandomizedRules(const Pops& pops, const RandomizedOptions& options, const DeadCouplers* dead = nullptr);

  const RandomizedOptions& options() const { return options_; }
  const DeadCouplers* dead() const { return dead_; }
  std::int32_t width() const { return width_; }
  std::int32_t classes() const { return classes_; }
  std::int32_t blocks() const { return blocks_; }
  /// With a single coupler, random cycles could collide forever, so the processors take turns, one per slot.
  bool round_robin() const { return pops_.groups() == 1; }
  /// Slots after the last cycle that serve the classes of destinations that still wait.
  std::int32_t drain_slots() const { return options_.literal || round_robin() ? 0 : classes_ - 1; }

  std::int32_t class_of(NodeId node) const { return divided(by_width_, pops_.index_of(node)); }
  std::int32_t block_of(std::int32_t group) const { return divided(by_width_, group); }
  /// The class that relays in slots 1 to 4.
  std::int32_t relaying_class(std::int64_t cycle) const {
    return options_.literal ? 0 : static_cast<std::int32_t>(cycle % classes_);
  }
  /// The class of destinations that slot 5 serves; unused if literal.
  std::int32_t served_class(std::int64_t cycle) const { return static_cast<std::int32_t>(cycle % classes_); }
  bool serves(NodeId destination, std::int64_t cycle) const {
    return options_.literal || class_of(destination) == served_class(cycle);
  }

  /// Processors take part in a cycle with probability p; floor(p * 2^32), and 2^32 if all do.
  std::uint64_t participation(std::int64_t cycle) const;

  /// Slots without a delivery after which a run is given up, at least 100,000. When all take part, and the d packets
  /// of a group are all undelivered, one of them is alone in slot 1 with probability d (1 - 1/g)^(d-1) per cycle:
  /// with few large groups, millions of cycles may pass. A run that could still complete is given up with probability
  /// 10^-12, or after 2^31 - 1 slots.
  static std::int64_t patience(const Pops& pops);

  /// True if packets from a group to a destination take part in this cycle (for d < g it depends on the block; else
  /// always).
  bool in_turn(std::int32_t source_group, NodeId destination, std::int64_t cycle) const {
    if (blocks_ == 1) return true;
    const std::int32_t ahead = block_of(pops_.group_of(destination)) - block_of(source_group);
    return (ahead < 0 ? ahead + blocks_ : ahead) == static_cast<std::int32_t>(cycle % blocks_);
  }

  /// The random intermediate group of a processor with a packet in a cycle, or `no_group` if it does not take part.
  /// Random words of step = first slot of the cycle, in order: the coin, unless all take part; the group.
  std::int32_t random_group(std::uint64_t seed, NodeId node, NodeId destination, std::int64_t cycle,
                            std::uint64_t threshold) const {
    const std::int32_t group = pops_.group_of(node);
    if (!in_turn(group, destination, cycle)) return no_group;
    RandomStream draws(seed, Purpose::algorithm, node, cycle * cycle_slots);
    if (threshold <= ~std::uint32_t{0} && draws.word() >= threshold) return no_group;
    return block_of(group) * width_ + static_cast<std::int32_t>(draws.bounded(static_cast<std::uint32_t>(width_)));
  }

  /// The group through which a packet reaches its destination, as an index in the destination's block.
  std::int32_t temporary_index(NodeId destination, std::int64_t cycle) const {
    // The destination's number can replace its index: the group size is a multiple of the width.
    const std::int64_t moved = options_.shift ? cycle % width_ : 0;
    return static_cast<std::int32_t>(by_width_.remainder(static_cast<std::uint32_t>(destination + moved)));
  }
  std::int32_t temporary_group(NodeId destination, std::int64_t cycle) const {
    return block_of(pops_.group_of(destination)) * width_ + temporary_index(destination, cycle);
  }

  /// True if a temporary group could not send a packet to its destination: it does not acknowledge such a copy.
  bool refuses(std::int32_t temporary_group, NodeId destination) const {
    return dead_ != nullptr && dead_->contains(pops_.group_of(destination), temporary_group);
  }

  /// Source group of the coupler that a processor samples in slot 1, or `no_group`.
  std::int32_t first_sample(NodeId node, std::int64_t cycle) const {
    const std::int32_t group = pops_.group_of(node);
    return relay_sample(node, block_of(group), cycle);
  }
  /// The same in slot 2.
  std::int32_t second_sample(NodeId node, std::int64_t cycle) const {
    const std::int32_t block = block_of(pops_.group_of(node)) - static_cast<std::int32_t>(cycle % blocks_);
    return relay_sample(node, block < 0 ? block + blocks_ : block, cycle);
  }
  /// The same in slot 5, for a processor that has not received its packet; also in the drain slots, numbered as
  /// further cycles.
  std::int32_t last_sample(NodeId node, std::int64_t cycle) const {
    if (!serves(node, cycle)) return no_group;
    return temporary_group(node, cycle);
  }

 private:
  static std::int32_t divided(const Reciprocal& by, std::int32_t number) {
    return static_cast<std::int32_t>(by.quotient(static_cast<std::uint32_t>(number)));
  }
  std::int32_t relay_sample(NodeId node, std::int32_t block, std::int64_t cycle) const {
    const std::int32_t index = pops_.index_of(node);
    const std::int32_t its_class = divided(by_width_, index);
    if (its_class != relaying_class(cycle)) return no_group;
    return block * width_ + index - its_class * width_;
  }

  Pops pops_;
  RandomizedOptions options_;
  const DeadCouplers* dead_;
  std::int32_t width_;
  std::int32_t classes_;
  std::int32_t blocks_;
  Reciprocal by_width_;
  std::int64_t all_from_;  ///< first cycle in which all take part
};

}  // namespace starloom::pops

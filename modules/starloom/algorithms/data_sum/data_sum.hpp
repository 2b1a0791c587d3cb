// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `data-sum`: the sum of one value per processor, in processor 0.
#include <cstdint>
#include <vector>

#include <starloom/control/pops/controller.hpp>

namespace starloom::pops {

/// First all groups simultaneously halve the number of their partial sums; a sum goes from an odd index of one group
/// to the even index before it in another group, so that a group drives and hears different couplers. Then the
/// groups' sums are added in pairs. ceil(log2 d) + ceil(log2 g) slots if d <= 2g + 1; more only while a group has
/// more than g sums to send, which is the capacity of its couplers per slot.
class DataSumProgram {
 public:
  explicit DataSumProgram(const Pops& pops);

  std::int64_t slots() const { return static_cast<std::int64_t>(parts_.size()); }
  /// The group to which a processor sends its partial sum in a slot, or `no_group`.
  std::int32_t sends_to(NodeId node, std::int64_t slot) const;
  /// The group whose coupler a processor samples in a slot, or `no_group`.
  std::int32_t samples(NodeId node, std::int64_t slot) const;

 private:
  /// A slot: partial sums are at every `stride`-th index (or group, once each has one).
  struct Part {
    bool among_groups;
    std::int32_t stride;
    std::int32_t first;  ///< the first pair of indices that it serves, of at most g
  };
  Pops pops_;
  std::vector<Part> parts_;
};

/// Packet p represents the value of processor p; a partial sum has the number of its processor.
class DataSumController final : public Controller {
 public:
  DataSumController(const DataSumProgram& program, std::int64_t value) : program_(&program), sum_(value) {}

  void slot(SlotView& view) override {
    if (view.heard() != nullptr) sum_ += view.heard()->value;
    if (view.slot() >= program_->slots()) {
      if (view.node() == 0)
        for (PacketId value = 0; value < view.pops().nodes(); ++value) view.deliver(value);
      return;
    }
    const std::int32_t to = program_->sends_to(view.node(), view.slot());
    if (to != no_group) view.drive(to, {MessageKind::data, view.node(), 0, sum_});
    const std::int32_t from = program_->samples(view.node(), view.slot());
    if (from != no_group) view.sample(from);
  }
  /// In processor 0, after the last slot: the sum of all values.
  std::int64_t sum() const { return sum_; }

 private:
  const DataSumProgram* program_;
  std::int64_t sum_;
};

}  // namespace starloom::pops

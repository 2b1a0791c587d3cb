#pragma once
/// \file Check mode of `randomized`: every copy of a cycle is sent again, one by one, through counted couplers.
#include <cstdint>
#include <vector>

#include <starloom/controllers/pops/randomized/randomized_rules.hpp>
#include <starloom/core/pops/slot_counts.hpp>
#include <starloom/message/pops/coupler_audit.hpp>

namespace starloom::pops {

/// A copy that a processor sent in slot 1 of a cycle, and what the model says became of it.
struct SentCopy {
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int32_t asked = no_group;
  bool acknowledged = false;
};

class RandomizedAudit {
 public:
  RandomizedAudit(const Pops& pops, const RandomizedRules& rules)
      : pops_(pops),
        rules_(rules),
        couplers_(pops, rules.dead()),
        passing_(static_cast<std::size_t>(pops.nodes()), no_node),
        has_final_(static_cast<std::size_t>(pops.nodes()), false) {}

  /// Compares a cycle with the five rows that the model wrote for it.
  /// \throws std::logic_error at the first difference.
  void cycle(std::int64_t cycle, const std::vector<SentCopy>& copies, const SlotCounts* rows);
  /// The same for a drain slot, counted on as a cycle.
  void drain(std::int64_t cycle, const SlotCounts& row);
  /// Packets at their destinations so far.
  std::int64_t arrived() const { return arrived_; }

 private:
  struct Holding {
    NodeId at = no_node;  ///< the processor that holds a packet of another
    NodeId destination = no_node;
  };
  NodeId relay(std::int32_t group, std::int32_t from, std::int64_t cycle) const;
  void last_slot(std::int64_t cycle, const SlotCounts& row);

  Pops pops_;
  const RandomizedRules& rules_;
  CouplerAudit couplers_;
  std::vector<NodeId> passing_;  ///< [node] destination of the packet in its buffer for passing on
  std::vector<bool> has_final_;
  std::vector<Holding> waiting_;  ///< full buffers
  std::int64_t arrived_ = 0;
};

}  // namespace starloom::pops

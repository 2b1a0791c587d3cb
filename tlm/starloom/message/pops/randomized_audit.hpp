// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Check mode of `randomized`: every copy of a cycle is sent again, one by one, through counted couplers.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/core/pops/slot_counts.hpp>
#include <starloom/message/pops/coupler_audit.hpp>
#include <starloom/message/pops/group_range.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom::pops {

/// A copy that a processor sent in slot 1 of a cycle, and its result in the model.
struct SentCopy {
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int32_t intermediate = no_group;
  bool acknowledged = false;
};

/// A slot is audited by the groups that drive its couplers: a thread for each range of groups. Lists are therefore
/// passed from the groups that drove a slot to those that drive the next one.
class RandomizedAudit {
 public:
  /// `ranges`: of all groups, one for each thread of the pool; pool and rules outlive the audit.
  RandomizedAudit(const Pops& pops, const RandomizedRules& rules, const std::vector<GroupRange>& ranges,
                  ThreadPool& pool);

  /// Records a copy of the next cycle, whose source is in a range. Concurrent calls for different ranges are allowed.
  void note(std::size_t range, const SentCopy& copy) {
    shares_[range].sent[range_of_[static_cast<std::size_t>(copy.intermediate)]].push_back(copy);
  }
  /// Compares a cycle with the five rows that the model wrote for it, and clears its copies.
  /// \throws std::logic_error for the first slot that differs, with the first of the rules that are broken there: the
  /// same for any ranges.
  void cycle(std::int64_t cycle, const SlotCounts* rows);
  /// The same for a drain slot, numbered as a further cycle.
  void drain(std::int64_t cycle, const SlotCounts& row);
  /// Packets at their destinations so far.
  std::int64_t arrived() const;

 private:
  /// The rules for every copy, in the order of slots. `none`: no rule is broken.
  enum class Rule { sampled_first, sampled_second, buffer_empty, acknowledged, alone, expected, once, none };
  /// A copy that slot 1 carried.
  struct Relayed {
    NodeId destination;
    std::int32_t source_group, intermediate, temporary;
    bool kept;  ///< by the temporary group
  };
  struct Holding {
    NodeId at;  ///< the processor with a packet of another one
    NodeId destination;
  };
  /// The data of one thread. It writes all its lists by range, and reads the list of its own range from every share.
  struct alignas(128) Share {
    GroupRange groups;
    CouplerAudit couplers;                           ///< of its groups
    std::vector<std::vector<SentCopy>> sent = {};    ///< [range of the intermediate group] by its sources
    std::vector<std::vector<Relayed>> relayed = {};  ///< [range of the intermediate group] of the copies sent
    std::vector<std::vector<Relayed>> onward = {};   ///< [range of the temporary group] by its intermediate groups
    std::vector<Holding> waiting = {};               ///< full buffers of its groups
    std::vector<Holding> leaving = {};               ///< forwarded in the last slot
    SlotCounts counts[RandomizedRules::cycle_slots] = {};
    std::int64_t arrived = 0;
    Rule broken = Rule::none;  ///< the first broken rule

    bool require(bool holds, Rule rule) {
      if (!holds && rule < broken) broken = rule;
      return holds;
    }
  };

  template <class Work>
  void in_all_shares(Work&& work) {
    pool_.run([&](int i) { work(static_cast<std::size_t>(i), shares_[static_cast<std::size_t>(i)]); });
  }
  std::size_t range_of(std::int32_t group) const { return range_of_[static_cast<std::size_t>(group)]; }
  NodeId relay(std::int32_t group, std::int32_t from, std::int64_t cycle) const;
  void first_slot(std::int64_t cycle, Share& share);
  void second_slot(std::int64_t cycle, std::size_t own, Share& share);
  void acknowledgements(std::int64_t cycle, std::size_t own, Share& share);
  void drive_last_slot(std::int64_t cycle, Share& share);
  void hear_last_slot(std::int64_t cycle, const SlotCounts& row);
  void judge(std::int64_t cycle) const;
  SlotCounts counted(int slot) const;

  Pops pops_;
  const RandomizedRules& rules_;
  ThreadPool& pool_;
  std::vector<Share> shares_;
  std::vector<std::size_t> range_of_;    ///< [group]
  std::vector<NodeId> passing_;          ///< [node] destination of the packet in its relay buffer
  std::vector<std::uint8_t> has_final_;  ///< [node] bytes, because threads write to neighbours
};

}  // namespace starloom::pops

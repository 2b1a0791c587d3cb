// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Programs of collectives, messages and computations among ranks (docs/collectives.md).
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/core/multicast.hpp>
#include <starloom/traffic/program/collective_table.hpp>

namespace starloom {

/// The length of the longest message.
inline constexpr std::int64_t most_message_flits = std::numeric_limits<std::int32_t>::max();

/// Lists of ranks, each of which runs an operation on its own.
struct RankGroup {
  struct Place {
    std::uint32_t list = 0;
    std::int32_t index = 0;  ///< in it
  };
  std::vector<std::vector<std::int32_t>> lists;
  std::unordered_map<std::int32_t, std::vector<Place>> places;  ///< of each rank; looked up, never iterated

  explicit RankGroup(std::vector<std::vector<std::int32_t>> ranks);
};

/// An operation of a program.
struct Operation {
  std::string name;
  Collective collective{};  ///< its `op` is `compute` or `send` for other operations
  Step delay = 0;           ///< of a computation
  Step deadline = no_step;  ///< of each message; no_step: none
  std::uint8_t traffic_class = 0;
  std::shared_ptr<const RankGroup> group{};
  bool after_previous = true;        ///< it waits for the operation before it, rank by rank
  std::vector<std::string> after{};  ///< else: the names of those for which it waits

  bool is_compute() const { return collective.op == "compute"; }
  bool is_send() const { return collective.op == "send"; }
  bool is_collective() const { return !is_compute() && !is_send(); }
};

/// Operations one after the other, or a body that is repeated.
struct ProgramStatement {
  std::int64_t repeat = 0;               ///< 0: an operation
  std::uint32_t operation = 0;           ///< its number
  std::vector<ProgramStatement> body{};  ///< of a repetition
};

/// A run of an operation by a list of its group.
struct OperationInstance {
  std::uint32_t operation = 0;
  std::uint32_t list = 0;        ///< of the group
  std::int64_t number = 0;       ///< among the instances of its name
  std::uint32_t first_part = 0;  ///< of the first rank of the list; further ranks have the next ones
};

/// The part of a rank in an instance.
using ProgramPart = std::uint32_t;

/// A part of a rank that does one thing after the other.
enum class RankUnit : std::uint8_t { none, compute, host, network };

/// The instances of a program and their order, before its ranks are mapped to processors.
struct ProgramParts {
  struct Wait {
    ProgramPart part = 0;
    ProgramPart awaited = 0;
  };
  /// The unit that a part occupies from its entry to its finish. The free part with the
  /// lowest turn enters first.
  struct Use {
    RankUnit unit = RankUnit::none;
    std::uint32_t turn = 0;
  };
  std::vector<Operation> operations{};
  std::vector<OperationInstance> instances{};
  std::vector<Wait> waits{};  ///< those of a part in the order of its list
  std::vector<Use> uses{};    ///< [part]
};

/// The parts of a program of statements, with its repetitions written out.
ProgramParts parts_of(std::vector<Operation> operations, const std::vector<ProgramStatement>& statements,
                      std::int32_t ranks);

/// A program. Immutable.
class Program {
 public:
  /// \param node [rank] of the network. \param longest_packet into which messages are cut; 0: a message is a packet.
  Program(ProgramParts parts, std::vector<NodeId> node, std::int32_t longest_packet);

  const Operation& operation(const OperationInstance& instance) const { return parts_.operations[instance.operation]; }
  const std::vector<OperationInstance>& instances() const { return parts_.instances; }
  const std::vector<std::int32_t>& ranks_of(const OperationInstance& instance) const {
    return operation(instance).group->lists[instance.list];
  }
  NodeId node(std::int32_t rank) const { return node_[static_cast<std::size_t>(rank)]; }
  std::int32_t rank_at(NodeId node) const { return rank_at_.at(node); }
  std::int32_t ranks() const { return static_cast<std::int32_t>(node_.size()); }
  std::int32_t longest_packet() const { return longest_packet_; }

  std::uint32_t part_count() const { return static_cast<std::uint32_t>(parts_.uses.size()); }
  std::uint32_t instance_of(ProgramPart part) const { return instance_of_[part]; }
  const ProgramParts::Use& use_of(ProgramPart part) const { return parts_.uses[part]; }
  /// The rank of a part.
  std::int32_t rank_of(ProgramPart part) const {
    const OperationInstance& instance = parts_.instances[instance_of_[part]];
    return ranks_of(instance)[part - instance.first_part];
  }
  /// The number of parts for which one waits.
  std::uint32_t waits_for(ProgramPart part) const { return waits_for_[part]; }
  /// A part that waits for another one.
  struct Dependant {
    ProgramPart part = 0;
    std::uint32_t place = 0;  ///< of the awaited part in the list of `part`
  };
  template <class Visit>
  void each_dependant(ProgramPart part, Visit&& visit) const {
    for (std::size_t i = first_[part]; i < first_[part + std::size_t{1}]; ++i) visit(dependants_[i]);
  }

  /// The plan of an operation among `ranks` ranks.
  static OperationPlan plan(const Operation& operation, std::int32_t ranks);
  /// Over all messages.
  struct Totals {
    std::int64_t messages = 0;
    std::int64_t packets = 0;
    std::int32_t longest = 0;  ///< flits of a message
  };
  const Totals& totals() const { return totals_; }
  /// Over the messages of an instance, of which it has the same ones as any other list with its number of ranks.
  struct InstanceTotals : Totals {
    std::int64_t busiest = 0;                ///< the most flits that a rank sends, or receives
    std::vector<OperationPlan::Flow> flows;  ///< among indexes of the list
  };
  const InstanceTotals& totals_of(const OperationInstance& instance) const {
    return totals_of_.at({instance.operation, ranks_of(instance).size()});
  }
  /// `NAME[INSTANCE]`.
  std::string name(std::uint32_t instance) const;
  /// The groups of messages to all other ranks of an instance.
  const std::vector<MulticastGroup>& groups() const { return groups_; }
  /// The destination of a message of an instance: a processor, or a group.
  NodeId destination(const OperationInstance& instance, std::int32_t to) const {
    if (to == OperationPlan::everyone) return group_destination(group_of_.at({instance.operation, instance.list}));
    return node(ranks_of(instance)[static_cast<std::size_t>(to)]);
  }

 private:
  void count_messages();
  void list_groups();

  ProgramParts parts_;  ///< without `waits`
  std::vector<NodeId> node_;
  std::unordered_map<NodeId, std::int32_t> rank_at_;  ///< looked up, never iterated
  std::int32_t longest_packet_;
  std::vector<std::uint32_t> instance_of_;  ///< [part]
  std::vector<std::uint32_t> waits_for_;    ///< [part]
  std::vector<std::size_t> first_;          ///< [part] of its dependants, and the end of the last one's
  std::vector<Dependant> dependants_;
  Totals totals_;
  std::map<std::pair<std::uint32_t, std::size_t>, InstanceTotals> totals_of_;  ///< [operation, number of ranks]
  std::vector<MulticastGroup> groups_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> group_of_;  ///< [operation, list]
};

}  // namespace starloom

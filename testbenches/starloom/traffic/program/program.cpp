// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/program.hpp>

#include <algorithm>
#include <optional>

#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

RankGroup::RankGroup(std::vector<std::vector<std::int32_t>> ranks) : lists(std::move(ranks)) {
  for (std::size_t list = 0; list < lists.size(); ++list)
    for (std::size_t index = 0; index < lists[list].size(); ++index)
      places[lists[list][index]].push_back({static_cast<std::uint32_t>(list), static_cast<std::int32_t>(index)});
}

namespace {

/// Writes out the repetitions of a program, and finds the parts that wait for each other.
class Unrolling {
 public:
  Unrolling(std::vector<Operation> operations, std::int32_t ranks) : last_(static_cast<std::size_t>(ranks)) {
    parts_.operations = std::move(operations);
  }

  void run(const std::vector<ProgramStatement>& statements) {
    for (const ProgramStatement& statement : statements) {
      if (statement.repeat == 0) add(statement.operation);
      else
        for (std::int64_t i = 0; i < statement.repeat; ++i) run(statement.body);
    }
  }
  ProgramParts parts() && { return std::move(parts_); }

 private:
  /// A run of an operation by all lists of its group.
  struct Run {
    std::uint32_t first_instance;
    const RankGroup* group;
  };

  void add(std::uint32_t number) {
    const Operation& operation = parts_.operations[number];
    const Run run{static_cast<std::uint32_t>(parts_.instances.size()), operation.group.get()};
    for (std::uint32_t list = 0; list < operation.group->lists.size(); ++list) {
      parts_.instances.push_back(
          {number, list, count_[operation.name]++, static_cast<ProgramPart>(parts_.uses.size())});
      for (const std::int32_t rank : operation.group->lists[list]) {
        const auto part = static_cast<ProgramPart>(parts_.uses.size());
        parts_.uses.emplace_back();
        if (operation.after_previous) wait(part, last_[static_cast<std::size_t>(rank)], rank);
        else
          for (const std::string& name : operation.after) wait(part, by_name_.at(name), rank);
      }
    }
    for (const auto& list : operation.group->lists)
      for (const std::int32_t rank : list) last_[static_cast<std::size_t>(rank)] = run;
    by_name_[operation.name] = run;
  }
  /// A rank without a part in the run does not wait for it.
  void wait(ProgramPart part, const std::optional<Run>& run, std::int32_t rank) {
    if (!run) return;
    const auto found = run->group->places.find(rank);
    if (found == run->group->places.end()) return;
    for (const RankGroup::Place& place : found->second)
      parts_.waits.push_back({part, parts_.instances[run->first_instance + place.list].first_part +
                                        static_cast<ProgramPart>(place.index)});
  }

  ProgramParts parts_;
  std::vector<std::optional<Run>> last_;               ///< [rank] the run before
  std::map<std::string, std::optional<Run>> by_name_;  ///< the last one of each name
  std::map<std::string, std::int64_t> count_;          ///< of instances of each name
};

}  // namespace

ProgramParts parts_of(std::vector<Operation> operations, const std::vector<ProgramStatement>& statements,
                      std::int32_t ranks) {
  Unrolling unrolling(std::move(operations), ranks);
  unrolling.run(statements);
  return std::move(unrolling).parts();
}

Program::Program(ProgramParts parts, std::vector<NodeId> node, std::int32_t longest_packet)
    : parts_(std::move(parts)), node_(std::move(node)), longest_packet_(longest_packet) {
  for (std::size_t rank = 0; rank < node_.size(); ++rank)
    rank_at_.emplace(node_[rank], static_cast<std::int32_t>(rank));
  instance_of_.reserve(part_count());
  for (std::size_t instance = 0; instance < parts_.instances.size(); ++instance)
    instance_of_.insert(instance_of_.end(), ranks_of(parts_.instances[instance]).size(),
                        static_cast<std::uint32_t>(instance));
  waits_for_.resize(part_count());
  first_.assign(part_count() + std::size_t{1}, 0);
  for (const ProgramParts::Wait& wait : parts_.waits) ++first_[wait.awaited + std::size_t{1}];
  for (std::size_t part = 0; part < part_count(); ++part) first_[part + 1] += first_[part];
  dependants_.resize(parts_.waits.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const ProgramParts::Wait& wait : parts_.waits)
    dependants_[next[wait.awaited]++] = {wait.part, waits_for_[wait.part]++};
  parts_.waits = {};
  count_messages();
  list_groups();
}

/// Instances that differ only in their number have the same group.
void Program::list_groups() {
  for (const OperationInstance& instance : parts_.instances) {
    const InstanceTotals& totals = totals_of(instance);
    for (const OperationPlan::Flow& flow : totals.flows) {
      if (flow.to != OperationPlan::everyone) continue;
      if (!group_of_.try_emplace({instance.operation, instance.list}, groups_.size()).second) continue;
      const std::vector<std::int32_t>& ranks = ranks_of(instance);
      MulticastGroup group{node(ranks[static_cast<std::size_t>(flow.from)]), {}, totals.longest};
      if (longest_packet_ > 0) group.longest = std::min(group.longest, longest_packet_);
      for (const std::int32_t rank : ranks)
        if (node(rank) != group.source) group.destinations.push_back(node(rank));
      std::sort(group.destinations.begin(), group.destinations.end());
      groups_.push_back(std::move(group));
    }
  }
}

/// Each operation is planned once for each length of its lists.
void Program::count_messages() {
  for (const OperationInstance& instance : parts_.instances) {
    const std::size_t ranks = ranks_of(instance).size();
    const auto [at, is_new] = totals_of_.try_emplace({instance.operation, ranks});
    if (is_new) {
      const OperationPlan planned = plan(operation(instance), static_cast<std::int32_t>(ranks));
      for (const OperationPlan::Item& item : planned.items()) {
        at->second.messages += item.flits > 0 ? 1 : 0;
        at->second.packets += packets_of(item.flits, longest_packet_);
        at->second.longest = std::max(at->second.longest, item.flits);
      }
      at->second.busiest = planned.busiest();
      at->second.flows = planned.flows();
    }
    totals_.messages += at->second.messages;
    totals_.packets += at->second.packets;
    totals_.longest = std::max(totals_.longest, at->second.longest);
  }
}

OperationPlan Program::plan(const Operation& operation, std::int32_t ranks) {
  if (operation.is_collective()) return plan_of(operation.collective, ranks);
  OperationPlan plan(ranks, operation.collective.chunk, 0);
  if (operation.is_compute())
    for (std::int32_t rank = 0; rank < ranks; ++rank) plan.event(rank, operation.delay, {}, true);
  else plan.send(0, 1, OperationPlan::no_block, operation.collective.flits, false, {});
  plan.close();
  return plan;
}

std::string Program::name(std::uint32_t instance) const {
  const OperationInstance& facts = parts_.instances[instance];
  return operation(facts).name + "[" + std::to_string(facts.number) + "]";
}

}  // namespace starloom

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

/// Writes out the repetitions of a program, and finds the parts that wait for each other.
class Program::Unrolling {
 public:
  explicit Unrolling(Program& program) : program_(program), last_(program.node_.size()) {}

  void run(const std::vector<ProgramStatement>& statements) {
    for (const ProgramStatement& statement : statements) {
      if (statement.repeat == 0) add(statement.operation);
      else
        for (std::int64_t i = 0; i < statement.repeat; ++i) run(statement.body);
    }
  }
  void finish() {
    program_.first_.assign(program_.instance_of_.size() + 1, 0);
    for (const Edge& edge : edges_) ++program_.first_[edge.awaited + std::size_t{1}];
    for (std::size_t part = 0; part < program_.instance_of_.size(); ++part)
      program_.first_[part + 1] += program_.first_[part];
    program_.dependants_.resize(edges_.size());
    std::vector<std::size_t> next(program_.first_.begin(), program_.first_.end() - 1);
    for (const Edge& edge : edges_) program_.dependants_[next[edge.awaited]++] = edge.dependant;
  }

 private:
  /// A run of an operation by all lists of its group.
  struct Run {
    std::uint32_t first_instance;
    const RankGroup* group;
  };
  struct Edge {
    ProgramPart awaited;
    Dependant dependant;
  };

  void add(std::uint32_t number) {
    const Operation& operation = program_.operations_[number];
    const Run run{static_cast<std::uint32_t>(program_.instances_.size()), operation.group.get()};
    for (std::uint32_t list = 0; list < operation.group->lists.size(); ++list) {
      const auto instance = static_cast<std::uint32_t>(program_.instances_.size());
      program_.instances_.push_back({number, list, count_[operation.name]++, program_.part_count()});
      for (const std::int32_t rank : operation.group->lists[list]) {
        const ProgramPart part = program_.part_count();
        program_.instance_of_.push_back(instance);
        program_.waits_for_.push_back(0);
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
    for (const RankGroup::Place& place : found->second) {
      const ProgramPart awaited =
          program_.instances_[run->first_instance + place.list].first_part + static_cast<ProgramPart>(place.index);
      edges_.push_back({awaited, {part, program_.waits_for_[part]++}});
    }
  }

  Program& program_;
  std::vector<std::optional<Run>> last_;               ///< [rank] the run before
  std::map<std::string, std::optional<Run>> by_name_;  ///< the last one of each name
  std::map<std::string, std::int64_t> count_;          ///< of instances of each name
  std::vector<Edge> edges_;
};

Program::Program(std::vector<Operation> operations, const std::vector<ProgramStatement>& statements,
                 std::vector<NodeId> node, std::int32_t longest_packet)
    : operations_(std::move(operations)), node_(std::move(node)), longest_packet_(longest_packet) {
  for (std::size_t rank = 0; rank < node_.size(); ++rank)
    rank_at_.emplace(node_[rank], static_cast<std::int32_t>(rank));
  Unrolling unrolling(*this);
  unrolling.run(statements);
  unrolling.finish();
  count_messages();
}

/// Each operation is planned once for each length of its lists.
void Program::count_messages() {
  for (const OperationInstance& instance : instances_) {
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
  const OperationInstance& facts = instances_[instance];
  return operation(facts).name + "[" + std::to_string(facts.number) + "]";
}

}  // namespace starloom

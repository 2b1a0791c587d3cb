// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The workload of a program: operations are planned when their first rank enters, and dropped when finished.
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/program/rank_units.hpp>
#include <starloom/traffic/workloads/operation_log.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

/// The numbers of its items are: two for each part of the program, its entry and its finish, then those of messages and
/// events in the order in which operations are planned.
class ProgramWorkload final : public Workload {
 public:
  /// \param units false: units of ranks do any number of parts at the same time. Then no run ends earlier than this one
  /// does in a network in which no packet meets another one.
  explicit ProgramWorkload(std::shared_ptr<const Program> program, bool units = true);

  Step next_creation() const override;
  void create(Step step, std::vector<NewMessage>& out) override;
  void delivered(MessageNumber message, Step step) override;
  std::int32_t longest_packet() const override { return program_->longest_packet(); }
  std::int32_t longest_message() const override { return program_->totals().longest; }
  std::optional<std::int64_t> message_count() const override { return program_->totals().messages; }
  std::int64_t depth() const override { return depth_; }
  Step last_event() const override { return last_event_; }
  std::string flow(const Item& item) const override;
  void dependants(std::int64_t item, std::vector<std::int64_t>& out) const override;
  std::vector<std::int64_t> take_events() override;
  bool blocked() const override;
  std::vector<std::string> waiting(std::size_t most) const override;
  const OperationLog* operations() const override { return &log_; }

 private:
  /// An item that waits for others, or has completed.
  struct State {
    Completion ready{};           ///< the last completion of an item for which it waited
    std::uint32_t waits_for = 0;  ///< items that have not completed
    std::uint32_t place = 0;      ///< of the one of `ready` in its list
    std::int32_t depth = 0;       ///< messages and computations in the longest chain that ends with it
  };
  /// An instance that a rank has entered, and that not all ranks have finished.
  struct Running {
    std::shared_ptr<const OperationPlan> plan;
    std::int64_t first_item = 0;
    std::vector<State> items;     ///< [item of the plan]
    std::vector<State> finishes;  ///< [rank]
    std::vector<Step> chunks;     ///< [chunk] its last completion; no_step: there was none
    std::int32_t left = 0;        ///< ranks that have not finished
  };
  struct Due {
    Step step;
    NodeId source;
    std::uint32_t instance;
    PlanItem item;
    bool operator>(const Due& other) const {
      return std::tie(step, source, instance, item) > std::tie(other.step, other.source, other.instance, other.item);
    }
  };
  enum class Kind : std::uint8_t { entry, item, finish };
  /// An item of which the completion is known.
  struct Completed {
    Kind kind;
    std::uint32_t instance;
    std::uint32_t index;  ///< of the rank, or of the item in the plan
    Completion at;
    std::int32_t depth;  ///< as in State
  };
  struct UnderWay {
    std::uint32_t instance;
    PlanItem item;
  };

  /// Passes on what completed, and so, after events, what completes with it.
  void settle();
  void pass_on(const Completed& completed);
  /// The instance, which is planned if no rank has entered it.
  Running& running(std::uint32_t instance);
  void pass_on_entry(const Completed& entry);
  void pass_on_item(const Completed& item);
  void pass_on_finish(const Completed& part);
  /// One of the items for which another one waits has completed. True if that waits for none any more.
  static bool take(State& waiting, const Completed& completed, std::uint32_t place);
  void release_item(std::uint32_t instance, PlanItem item);
  void release_entry(ProgramPart part);
  void enter(ProgramPart part);
  /// Parts enter as their units permit, up to the creation of messages in a step.
  void use_units(Step step);
  void release_finish(std::uint32_t instance, std::uint32_t index);
  /// An event completes. \param number of its item.
  void complete(const Completed& event, std::int64_t number);

  std::shared_ptr<const Program> program_;
  std::optional<RankUnits> units_;
  std::vector<State> entries_;                             ///< [part]
  std::unordered_map<std::uint32_t, Running> running_;     ///< [instance]; looked up, never iterated
  std::unordered_map<MessageNumber, UnderWay> under_way_;  ///< created, not delivered; `waiting` sorts them
  std::vector<std::pair<std::int64_t, std::weak_ptr<const OperationPlan>>> plans_;  ///< [operation] ranks, plan
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<Completed> completed_;
  std::vector<std::int64_t> events_;
  std::map<std::int64_t, std::uint32_t> by_first_item_;  ///< running instances with items, by the first number
  std::vector<std::uint32_t> finished_;                  ///< instances, since the events were taken
  std::vector<std::uint32_t> retired_;                   ///< instances that had finished when they were taken
  OperationLog log_;
  MessageNumber next_message_ = 0;
  std::int64_t next_item_ = 0;
  std::int64_t depth_ = 0;
  Step last_event_ = 0;
};

}  // namespace starloom

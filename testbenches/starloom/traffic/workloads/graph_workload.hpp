// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The workload of items that are all known before the run.
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

class GraphWorkload final : public Workload {
 public:
  /// \param graph without cycles.
  GraphWorkload(std::shared_ptr<const ItemGraph> graph, std::int32_t longest_packet);

  Step next_creation() const override { return due_.empty() ? no_step : std::get<0>(due_.top()); }
  void create(Step step, std::vector<NewMessage>& out) override;
  void delivered(MessageNumber message, Step step) override;
  std::int32_t longest_packet() const override { return longest_packet_; }
  std::int32_t longest_message() const override { return longest_message_; }
  std::optional<std::int64_t> message_count() const override { return messages_; }
  std::int64_t depth() const override { return graph_->depth(); }
  Step last_event() const override { return last_event_; }
  std::string flow(const Item& item) const override { return graph_->flow(item); }
  void dependants(std::int64_t item, std::vector<std::int64_t>& out) const override;
  std::vector<std::int64_t> take_events() override { return std::exchange(events_, {}); }
  std::vector<std::string> waiting(std::size_t most) const override;

 private:
  struct State {
    std::uint32_t waits_for = 0;  ///< items that have not completed
    std::uint32_t place = 0;      ///< of the one of `ready` in its list
    Step ready = -1;              ///< the greatest completion of an item for which it waited; -1: none
    Step delivered = -1;          ///< the greatest delivery on which it depends; -1: none
    MessageNumber released_by = -1;
    bool created = false;    ///< a message
    bool completed = false;  ///< its dependants know
  };
  using Due = std::tuple<Step, NodeId, ItemNumber>;

  /// Gives each item of `released_` its step, and so, after events, further items.
  void settle();
  /// Appends to `released_` the items that waited for no other than this one. \param message that released it.
  void complete(ItemNumber item, Step step, Step delivered, MessageNumber message);
  std::string name(ItemNumber item) const;

  std::shared_ptr<const ItemGraph> graph_;
  std::int32_t longest_packet_;
  std::int32_t longest_message_ = 0;
  std::vector<State> states_;  ///< [item]
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<ItemNumber> item_of_;   ///< [message]
  std::vector<ItemNumber> released_;  ///< wait for no other item any more, and have no step yet
  std::vector<std::int64_t> events_;
  std::int64_t messages_ = 0;
  Step last_event_ = 0;
};

}  // namespace starloom

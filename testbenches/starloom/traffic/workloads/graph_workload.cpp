// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/workloads/graph_workload.hpp>

#include <algorithm>

#include <starloom/core/most_steps.hpp>

namespace starloom {

GraphWorkload::GraphWorkload(std::shared_ptr<const ItemGraph> graph, std::int32_t longest_packet)
    : graph_(std::move(graph)), longest_packet_(longest_packet), states_(graph_->items().size()) {
  const auto count = static_cast<ItemNumber>(states_.size());
  for (ItemNumber item = 0; item < count; ++item)
    for (const ItemGraph::Dependant& dependant : graph_->dependants(item)) ++states_[dependant.item].waits_for;
  for (ItemNumber item = 0; item < count; ++item) {
    messages_ += graph_->items()[item].is_event() ? 0 : 1;
    longest_message_ = std::max(longest_message_, graph_->items()[item].flits);
    if (states_[item].waits_for == 0) released_.push_back(item);
  }
  settle();
}

void GraphWorkload::settle() {
  while (!released_.empty()) {
    const ItemNumber item = released_.back();
    released_.pop_back();
    const Item& facts = graph_->items()[item];
    const State& state = states_[item];
    const Step ready = state.ready < 0 ? facts.cycle : state.ready;
    const Step free = std::max(facts.cycle, std::min(ready + facts.delay, most_steps));
    if (!facts.is_event()) {
      due_.emplace(std::max(free, state.delivered + 1), facts.source, item);
      continue;
    }
    last_event_ = std::max(last_event_, free);
    events_.push_back(item);
    complete(item, free, state.delivered, state.released_by);
  }
}

void GraphWorkload::complete(ItemNumber item, Step step, Step delivered, MessageNumber message) {
  states_[item].completed = true;
  for (const ItemGraph::Dependant& dependant : graph_->dependants(item)) {
    State& state = states_[dependant.item];
    if (step > state.ready || (step == state.ready && dependant.place < state.place)) {
      state.ready = step;
      state.place = dependant.place;
      state.released_by = message;
    }
    state.delivered = std::max(state.delivered, delivered);
    if (--state.waits_for == 0) released_.push_back(dependant.item);
  }
}

void GraphWorkload::create(Step step, std::vector<NewMessage>& out) {
  for (; next_creation() == step; due_.pop()) {
    const ItemNumber item = std::get<2>(due_.top());
    states_[item].created = true;
    out.push_back({item, states_[item].released_by, graph_->items()[item]});
    item_of_.push_back(item);
  }
}

void GraphWorkload::delivered(MessageNumber message, Step step) {
  complete(item_of_[static_cast<std::size_t>(message)], step, step, message);
  settle();
}

void GraphWorkload::dependants(std::int64_t item, std::vector<std::int64_t>& out) const {
  for (const ItemGraph::Dependant& dependant : graph_->dependants(static_cast<ItemNumber>(item)))
    out.push_back(dependant.item);
}

std::string GraphWorkload::name(ItemNumber item) const {
  const Item& facts = graph_->items()[item];
  const std::string line = "line " + std::to_string(facts.line);
  return facts.id < 0 ? "the row of " + line : "id " + std::to_string(facts.id) + " (" + line + ")";
}

std::vector<std::string> GraphWorkload::waiting(std::size_t most) const {
  std::vector<std::string> lines;
  for (ItemNumber item = 0; item < states_.size(); ++item) {
    if (!states_[item].created || states_[item].completed) continue;
    for (const ItemGraph::Dependant& dependant : graph_->dependants(item)) {
      if (lines.size() == most) return lines;
      lines.push_back(name(dependant.item) + " waits for " + name(item) + ", which was not delivered");
    }
  }
  return lines;
}

}  // namespace starloom

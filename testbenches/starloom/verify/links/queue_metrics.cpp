// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/queue_metrics.hpp>

#include <algorithm>
#include <limits>

namespace starloom::links {
namespace {

bool is_countable(const RunFacts& facts, const PacketTable& table) {
  const auto by_creation = [](const Packet& a, const Packet& b) { return a.created < b.created; };
  // Packets in memories are counted in the order of their creation.
  return facts.rules.storage == RefereeRules::Storage::store_and_forward && !facts.rules.routes_own &&
         (facts.count_unsent == false || std::is_sorted(table.packets.begin(), table.packets.end(), by_creation));
}

}  // namespace

QueueMetrics::QueueMetrics(const NetworkGraph& graph, const PacketTable& table, const RunFacts& facts)
    : graph_(graph), facts_(facts) {
  if (is_countable(facts, table))
    for (const bool count_unsent : {true, false})
      if (facts.count_unsent.value_or(count_unsent) == count_unsent)
        stores_.emplace_back(graph, table.packets, count_unsent, table.lost.value_or(Losses()));
  // With FIFOs, replay buffers, or flits that wait for their processor, rows do not show when flits leave buffers.
  if (facts.rules.router && !facts.rules.waits_behind_switch() && !facts.rules.limits_requests())
    routers_.emplace(graph, facts.pipelines, table.packets, facts.rules.trees.get());
}

void QueueMetrics::rows(const std::vector<TraceRow>& of_one_step) {
  // A flit that vanishes may have left its buffer one or two steps before.
  if (std::any_of(of_one_step.begin(), of_one_step.end(),
                  [](const TraceRow& row) { return row.event == TraceEvent::drop; }))
    routers_.reset();
  for (QueueTally& queue : stores_) queue.rows(of_one_step);
  if (routers_) routers_->rows(of_one_step);
  last_ = of_one_step.front().step;
}

void QueueMetrics::compare(Comparison& comparison) {
  const RefereeRules::Storage storage = facts_.rules.storage;
  if (storage == RefereeRules::Storage::links_only || storage == RefereeRules::Storage::never_standing)
    return comparison.expect_null("queue");
  // Flits that had just left their buffers when a router was stopped have no row.
  const Step known =
      has_ended() ? std::numeric_limits<Step>::max() : last_ - (routers_ ? routers_->longest_delay() : 0);
  std::optional<QueueMaximum> first;
  const auto agrees = [&](const std::optional<QueueMaximum>& found) {
    if (!first) first = found;
    return found && is_possible(*found, known);
  };
  if (routers_ && agrees(routers_->finish(known))) return;
  for (QueueTally& queue : stores_)
    if (agrees(queue.finish())) return;
  if (first) expect(comparison, *first);
}

bool QueueMetrics::has_ended() const {
  if (facts_.outcome == Outcome::deadlock) return true;
  // Other attempts of packets that have arrived may be under way.
  const bool are_alone = repetition_of_packets(facts_.rules.errors.get()) == nullptr;
  return facts_.packets_undelivered == 0 && !facts_.phases && (are_alone || facts_.outcome == Outcome::completed);
}

bool QueueMetrics::is_possible(const QueueMaximum& found, Step known) const {
  if (facts_.queue && facts_.queue->max > found.max && facts_.queue->step > known) return true;
  return facts_.queue && facts_.queue->max == found.max && facts_.queue->node == graph_.home(found.node) &&
         facts_.queue->step == found.step;
}

void QueueMetrics::expect(Comparison& comparison, const QueueMaximum& found) const {
  const auto or_null = [](std::int64_t value) { return value < 0 ? std::nullopt : std::optional(value); };
  comparison.expect("queue.max", found.max);
  comparison.expect("queue.node",
                    found.node == no_node ? std::nullopt : std::optional<std::int64_t>(graph_.home(found.node)));
  comparison.expect("queue.step", or_null(found.step));
}

}  // namespace starloom::links

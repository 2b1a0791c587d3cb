// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/queue_tally.hpp>

#include <utility>

namespace starloom::links {

QueueTally::QueueTally(const NetworkGraph& graph, const std::vector<Packet>& packets, bool count_unsent, Losses lost)
    : packets_(packets),
      lost_(std::move(lost)),
      graph_(graph),
      at_once_(graph.greatest_latency() == 1),
      count_unsent_(count_unsent),
      present_(static_cast<std::size_t>(graph.nodes()), graph.greatest_latency()),
      readable_(packets.size(), no_step),
      next_(packets.size(), no_node),
      at_home_(packets.size(), false) {}

void QueueTally::open(Step step) {
  const auto update = [this](NodeId node, std::int32_t count, Step at) { maximum_.update(count, node, at); };
  for (;;) {
    const bool creates = count_unsent_ && created_ < packets_.size() && packets_[created_].created <= step;
    const Step until = creates ? packets_[created_].created : step;
    if (!lost_later_.empty() && lost_later_.begin()->first <= until) {
      present_.open(lost_later_.begin()->first, update);
      present_.leave(lost_later_.begin()->second);
      lost_later_.erase(lost_later_.begin());
      continue;
    }
    if (!creates) break;
    present_.open(until, update);
    create(created_++);
  }
  present_.open(step, update);
}

/// A packet that is unreachable leaves the memory when it is lost, which may be in the same step.
void QueueTally::create(std::size_t number) {
  const Packet& packet = packets_[number];
  if (packet.source == packet.destination) return;
  const auto lost = lost_.find(static_cast<PacketId>(number));
  present_.arrive(packet.source, packet.created);
  if (lost != lost_.end() && !is_lost_under_way(lost->second.cause))
    lost_later_.emplace(lost->second.at, packet.source);
}

/// A packet that vanishes on a link would count behind it from the step before it were readable.
void QueueTally::drop(const TraceRow& row) {
  const auto packet = static_cast<std::size_t>(row.packet);
  const Step readable = readable_[packet];
  if (at_home_[packet]) at_home_[packet] = false;
  else if (readable == no_step || readable <= row.step) present_.leave(row.node);
  else lost_later_.emplace(readable - 1, next_[packet]);
}

void QueueTally::rows(const std::vector<TraceRow>& of_one_step) {
  last_ = of_one_step.front().step;
  open(last_);
  for (const TraceRow& row : of_one_step) {
    if (row.event == TraceEvent::store) determined_ = false;
    if (row.event == TraceEvent::inject && !count_unsent_) present_.arrive(row.node, row.step);
    if (row.event == TraceEvent::drop) drop(row);
    if (row.event != TraceEvent::hop && row.event != TraceEvent::eject) continue;
    const Packet& packet = packets_[static_cast<std::size_t>(row.packet)];
    Step& readable = readable_[static_cast<std::size_t>(row.packet)];
    if (row.event == TraceEvent::eject) {
      determined_ = determined_ && readable == row.step;
      at_home_[static_cast<std::size_t>(row.packet)] = false;
      continue;
    }
    // it went on from a node where it could have been consumed
    if (row.node == packet.destination) determined_ = false;
    present_.leave(row.node);
    readable = row.step + (at_once_ ? 1 : graph_.latency(row.node, row.port));
    next_[static_cast<std::size_t>(row.packet)] = row.to;
    if (row.to == packet.destination) at_home_[static_cast<std::size_t>(row.packet)] = true;
    else present_.arrive(row.to, readable - 1);
  }
}

std::optional<QueueMaximum> QueueTally::finish() {
  if (last_ != no_step) open(last_);
  present_.close([this](NodeId node, std::int32_t count, Step at) { maximum_.update(count, node, at); });
  for (std::size_t i = 0; i < packets_.size(); ++i)
    if (at_home_[i] && readable_[i] <= last_) determined_ = false;
  if (!determined_) return std::nullopt;
  return maximum_;
}

void RouterQueueTally::rows(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step) {
    timeline_.read(row);
    if (const auto entry = timeline_.entry(row)) changes_[entry->step].push_back({entry->node, row.packet, 1});
    if (const auto won = timeline_.grant(row))
      if (const Step step = leaves(row, won->node, won->step); step != no_step)
        changes_[step].push_back({won->node, row.packet, -1});
  }
  settle(of_one_step.front().step - timeline_.longest_delay());
}

Step RouterQueueTally::leaves(const TraceRow& row, NodeId node, Step step) {
  const NodeId destination = packets_[static_cast<std::size_t>(row.packet)].destination;
  if (!is_group(destination)) return step;
  const int ports = __builtin_popcountll((*trees_)[group_index(destination)].at(node));
  const auto at = copies_.try_emplace({node, row.packet, row.flit}, Copies{ports, step}).first;
  Copies& copies = at->second;
  copies.last = std::max(copies.last, step);
  if (--copies.left > 0) return no_step;
  const Step last = copies.last;
  copies_.erase(at);
  return last;
}

void RouterQueueTally::settle(Step last) {
  for (; !changes_.empty() && changes_.begin()->first <= last; changes_.erase(changes_.begin())) {
    const auto& [step, changes] = *changes_.begin();
    for (const Change& change : changes) {
      const auto key = static_cast<std::uint64_t>(change.node) << 32 | static_cast<std::uint32_t>(change.packet);
      std::int32_t& flits = flits_[key];
      std::int32_t& packets = count_[static_cast<std::size_t>(change.node)];
      packets -= flits > 0 ? 1 : 0;
      flits += change.flits;
      packets += flits > 0 ? 1 : 0;
      if (flits == 0) flits_.erase(key);
    }
    for (const Change& change : changes)
      if (change.flits > 0) maximum_.update(count_[static_cast<std::size_t>(change.node)], change.node, step);
  }
}

QueueMaximum RouterQueueTally::finish(Step last) {
  settle(last);
  return maximum_;
}

}  // namespace starloom::links

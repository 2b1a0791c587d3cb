// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/message_source.hpp>

#include <algorithm>
#include <utility>

namespace starloom::links {

MessageSource::MessageSource(std::unique_ptr<Workload> workload, Fabric& fabric, bool keep)
    : workload_(std::move(workload)), fabric_(fabric), keep_(keep) {}

void MessageSource::created(const std::vector<Packet>& packets) {
  const RunRecord& record = fabric_.engine().record();
  for (const Packet& packet : packets) {
    const auto id = static_cast<std::size_t>(packet.number);
    if (id >= message_of_.size()) message_of_.resize(id + 1, no_message);
    if (due_.empty() || packet.reply != due_.front().reply) continue;
    const MessageNumber message = due_.front().message;
    message_of_[id] = static_cast<std::int32_t>(message);
    if (--due_.front().packets == 0) due_.pop_front();
    if (const Step step = record.delivered[record.at(packet.number)]; step != no_step) arrived(message, step);
  }
  wake();
}

void MessageSource::delivered(PacketId packet) {
  const std::int32_t message = message_of_[static_cast<std::size_t>(packet)];
  if (message == no_message) return;
  arrived(message, fabric_.engine().record().delivered[fabric_.engine().record().at(packet)]);
  wake();
}

void MessageSource::rows(const std::vector<TraceRow>& together) {
  const RunRecord& record = fabric_.engine().record();
  for (const TraceRow& row : together) {
    if (row.event != TraceEvent::inject || row.flit != record.packets[record.at(row.packet)].flits - 1) continue;
    const std::int32_t message = message_of_[static_cast<std::size_t>(row.packet)];
    if (message != no_message) workload_->left(message, row.step);
  }
  wake();
}

void MessageSource::arrived(MessageNumber message, Step step) {
  const auto at = static_cast<std::size_t>(message);
  if (--packets_left_[at] > 0) return;
  if (keep_) log_.messages[at].delivered = step;
  ++log_.delivered;
  log_.end = std::max(log_.end, step);
  workload_->delivered(message, step);
}

void MessageSource::before_step(Step next) {
  if (next == no_step || workload_->next_creation() != next) return;
  new_.clear();
  workload_->create(next, new_);
  const std::int32_t longest = workload_->longest_packet();
  for (const std::int64_t event : workload_->take_events())
    if (announce_) announce(event, 0);
  for (NewMessage& message : new_) {
    const Item& item = message.of_input;
    const std::int64_t packets = packets_of(item.flits, longest);
    if (announce_) announce(message.item, packets);
    const bool of_netrace = message.number >= 0;
    const auto number = of_netrace ? static_cast<std::size_t>(message.number) : packets_left_.size();
    const Step created = of_netrace ? message.created : next;
    if (number >= packets_left_.size()) packets_left_.resize(number + 1);
    due_.push_back({static_cast<MessageNumber>(number), packets, item.reply});
    packets_left_[number] = static_cast<std::int32_t>(packets);
    log_.late += created > item.cycle ? 1 : 0;
    Packet packet{item.source, item.destination, item.flits, created, item.reply, item.traffic_class, 0, item.subnet};
    if (of_netrace) packet.number = static_cast<PacketId>(number);
    for (std::int32_t left = item.flits; left > 0; left -= packet.flits) {
      if (longest > 0) packet.flits = std::min(left, longest);
      fabric_.engine().create_packet(packet);
    }
    if (!keep_) continue;
    log_.messages.resize(packets_left_.size());
    log_.messages[number] = {std::move(message), created};
  }
  wake();
}

void MessageSource::announce(std::int64_t item, std::int64_t packets) {
  std::vector<std::int64_t> dependants;
  workload_->dependants(item, dependants);
  announce_(item, packets, std::move(dependants));
}

void MessageSource::wake() {
  const Step next = workload_->next_creation();
  if (next == no_step || next == woken_) return;
  fabric_.engine().wake(0, woken_ = next);
}

MessageLog MessageSource::log() && {
  log_.total = workload_->message_count().value_or(static_cast<std::int64_t>(packets_left_.size()));
  log_.end = std::max(log_.end, workload_->last_event());
  log_.paused = workload_->paused();
  if (const OperationLog* operations = workload_->operations()) log_.operations = *operations;
  return std::move(log_);
}

}  // namespace starloom::links

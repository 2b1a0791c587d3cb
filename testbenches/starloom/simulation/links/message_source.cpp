// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/message_source.hpp>

#include <algorithm>
#include <utility>

namespace starloom::links {

MessageSource::MessageSource(std::unique_ptr<Workload> workload, Fabric& fabric, const std::optional<Phases>& phases,
                             bool keep)
    : workload_(std::move(workload)), fabric_(fabric), phases_(phases), keep_(keep) {}

void MessageSource::created(const std::vector<Packet>& packets) {
  const RunRecord& record = fabric_.engine().record();
  for (const Packet& packet : packets) {
    OfPacket& one = packets_.at(static_cast<std::size_t>(packet.number));
    one.message = no_message;
    if (due_.empty() || packet.reply != due_.front().reply) continue;
    const MessageNumber message = due_.front().message;
    if (--due_.front().packets == 0) due_.pop_front();
    const Step step = record.delivered[record.at(packet.number)];
    if (step == no_step) one.message = static_cast<std::int32_t>(message);
    else arrived(message, packet.created, step);
  }
  wake();
}

void MessageSource::delivered(PacketId packet) {
  OfPacket& one = packets_.at(static_cast<std::size_t>(packet));
  const std::int32_t message = one.message;
  // The row with which it left may be reported after its delivery.
  if (!counts_departures()) {
    one.message = no_message;
    packets_.drop_while([](const OfPacket& first) { return first.message == no_message; });
  }
  if (message == no_message) return;
  const RunRecord& record = fabric_.engine().record();
  arrived(message, record.packets[record.at(packet)].created, record.delivered[record.at(packet)]);
  wake();
}

void MessageSource::rows(const std::vector<TraceRow>& together) {
  const RunRecord& record = fabric_.engine().record();
  for (const TraceRow& row : together) {
    if (row.event != TraceEvent::inject || row.flit != record.packets[record.at(row.packet)].flits - 1) continue;
    const std::int32_t message = packets_.at(static_cast<std::size_t>(row.packet)).message;
    if (message != no_message) workload_->left(message, row.step);
  }
  wake();
}

void MessageSource::arrived(MessageNumber message, Step created, Step step) {
  const auto at = static_cast<std::size_t>(message);
  UnderWay& facts = messages_.at(at);
  if (--facts.packets_left > 0) return;
  if (facts.flow >= 0) flows_.delivered(facts.flow, step - created);
  messages_.drop_while([](const UnderWay& first) { return first.packets_left == 0; });
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
    const auto number = of_netrace ? static_cast<std::size_t>(message.number) : messages_.end();
    const Step created = of_netrace ? message.created : next;
    due_.push_back({static_cast<MessageNumber>(number), packets, item.reply});
    messages_.at(number) = {static_cast<std::int32_t>(packets), counts(created) ? flows_.created(item) : -1};
    log_.late += created > item.cycle ? 1 : 0;
    Packet packet{item.source, item.destination, item.flits, created, item.reply, item.traffic_class, 0, item.subnet};
    if (of_netrace) packet.number = static_cast<PacketId>(number);
    for (std::int32_t left = item.flits; left > 0; left -= packet.flits) {
      if (longest > 0) packet.flits = std::min(left, longest);
      fabric_.engine().create_packet(packet);
    }
    if (!keep_) continue;
    log_.messages.resize(messages_.end());
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
  log_.total = workload_->message_count().value_or(static_cast<std::int64_t>(messages_.end()));
  log_.end = std::max(log_.end, workload_->last_event());
  log_.paused = workload_->paused();
  log_.flows = std::move(flows_).parts();
  if (const OperationLog* operations = workload_->operations()) log_.operations = *operations;
  return std::move(log_);
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/queue_tally.hpp>

namespace starloom::links {

QueueTally::QueueTally(const NetworkGraph& graph, const std::vector<Packet>& packets, bool count_unsent)
    : packets_(packets),
      graph_(graph),
      at_once_(graph.greatest_latency() == 1),
      count_unsent_(count_unsent),
      present_(static_cast<std::size_t>(graph.nodes()), graph.greatest_latency()),
      readable_(packets.size(), no_step) {}

void QueueTally::open(Step step) {
  const auto see = [this](NodeId node, std::int32_t count, Step at) { maximum_.see(count, node, at); };
  for (; count_unsent_ && created_ < packets_.size() && packets_[created_].created <= step; ++created_) {
    const Packet& packet = packets_[created_];
    if (packet.source == packet.destination) continue;
    present_.open(packet.created, see);
    present_.arrive(packet.source, packet.created);
  }
  present_.open(step, see);
}

void QueueTally::rows(const std::vector<TraceRow>& of_one_step) {
  open(of_one_step.front().step);
  for (const TraceRow& row : of_one_step) {
    if (row.event == TraceEvent::store) determined_ = false;
    if (row.event == TraceEvent::inject && !count_unsent_) present_.arrive(row.node, row.step);
    if (row.event != TraceEvent::hop && row.event != TraceEvent::eject) continue;
    const Packet& packet = packets_[static_cast<std::size_t>(row.packet)];
    Step& readable = readable_[static_cast<std::size_t>(row.packet)];
    if (row.event == TraceEvent::eject) {
      determined_ = determined_ && readable == row.step;
      --at_home_;
      continue;
    }
    if (row.node == packet.destination) determined_ = false;  // it went on from where it could have been consumed
    present_.leave(row.node);
    readable = row.step + (at_once_ ? 1 : graph_.latency(row.node, row.port));
    if (row.to == packet.destination) ++at_home_;
    else present_.arrive(row.to, readable - 1);
  }
}

std::optional<QueueMaximum> QueueTally::finish() {
  if (!packets_.empty()) open(packets_.back().created);
  present_.close([this](NodeId node, std::int32_t count, Step at) { maximum_.see(count, node, at); });
  if (!determined_ || at_home_ > 0) return std::nullopt;
  return maximum_;
}

}  // namespace starloom::links

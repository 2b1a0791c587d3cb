// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/why.hpp>

#include <algorithm>

#include <starloom/inspection/links/evidence.hpp>
#include <starloom/inspection/links/head_track.hpp>
#include <starloom/inspection/links/loss_place.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/links/wait_causes.hpp>
#include <starloom/inspection/packet_numbers.hpp>

namespace starloom::links {
namespace {

/// Makes the history of a packet from the track of its head.
class WaitExplainer {
 public:
  WaitExplainer(const RunFiles& run, const Evidence& evidence)
      : run_(run), graph_(run.network.graph), evidence_(evidence) {}

  PacketHistory explain(const HeadTrack& track) {
    const auto at = static_cast<std::size_t>(track.packet);
    const Packet& packet = run_.packets.packets[at];
    PacketHistory history;
    history.packet = track.packet;
    history.source = graph_.node_name(packet.source);
    history.destination = graph_.node_name(track.destination);
    if (const MulticastTree* const tree = run_.tree_of(track.packet); tree != nullptr)
      history.destinations = static_cast<std::int64_t>(tree->group.destinations.size());
    history.flits = packet.flits;
    history.created = packet.created;
    history.delivered = run_.packets.delivered[at];
    if (run_.messages) history.message = message_of(at);
    look_from(track.destination);
    history.distance = packet.source == track.destination && run_.rules.router
                           ? graph_.distance_over_routers(packet.source, track.destination)
                           : distances_[static_cast<std::size_t>(packet.source)];
    const WaitCauses causes(run_, evidence_, track.packet);
    nearest_ = history.distance;
    for (const Stay& stay : track.stays) {
      causes.explain(stay, history.waits);
      if (stay.end == StayEnd::crosses) cross(stay, history);
      else if (stay.end == StayEnd::injected) enter_router(stay, history);
    }
    const Step lost = run_.lost_at(track.packet);
    const Step end = lost != no_step ? lost : history.delivered;
    if (end != no_step && !track.head.empty()) follow(track, history, end);
    if (lost != no_step) end_with_loss(track, history);
    return history;
  }

 private:
  void look_from(NodeId destination) {
    if (destination == destination_) return;
    destination_ = destination;
    distances_ = graph_.distances_to(destination);
  }

  std::optional<MessageOfPacket> message_of(std::size_t packet) const {
    const MessageTable& messages = *run_.messages;
    const std::int64_t number = messages.of_packet(packet);
    if (number < 0) return std::nullopt;
    const MessageRow& row = messages[static_cast<std::size_t>(number)];
    MessageOfPacket message{number, row.flow};
    if (row.released_by >= 0) {
      const auto by = static_cast<std::size_t>(row.released_by);
      message.released_by = {row.released_by, messages[by].flow,
                             static_cast<PacketId>(messages.last_packet(by, run_.packets)), messages[by].delivered};
    }
    return message;
  }

  /// A link that brings the head closer than it ever was is part of the distance, every other one a detour.
  void cross(const Stay& stay, PacketHistory& history) {
    const std::string name = graph_.link_name(stay.node, stay.out);
    history.path.push_back({stay.to, name});
    const std::int32_t left = distances_[static_cast<std::size_t>(graph_.far_end(stay.node, stay.out).node)];
    if (left >= nearest_) history.waits.push_back({stay.node, stay.to, stay.to + 1, name, WaitCause::detour, {}, {}});
    nearest_ = std::min<std::int64_t>(nearest_, left);
    const Step latency = graph_.latency(stay.node, stay.out);
    if (latency > 1)
      history.waits.push_back({stay.node, stay.to + 1, stay.to + latency, name, WaitCause::link, {}, {}});
    if (!run_.timeline) return;
    const Step arrival = stay.to + latency;
    const TraceRow row{stay.to, TraceEvent::hop, history.packet, 0, stay.node, stay.out, no_node, stay.out_channel};
    const Step readable = run_.timeline->readable(row);
    const WaitCause later = repeats_flits(run_.rules.errors.get()) ? WaitCause::retry : WaitCause::crossing;
    if (readable > arrival) history.waits.push_back({stay.node, arrival, readable, name, later, {}, {}});
  }

  /// From the processor into the buffer of its in-port.
  void enter_router(const Stay& stay, PacketHistory& history) const {
    if (run_.timeline && !graph_.is_terminal(stay.node))
      history.waits.push_back({stay.node,
                               stay.to,
                               stay.to + graph_.period(stay.node) * router::injection,
                               "",
                               WaitCause::pipeline,
                               {},
                               {}});
  }

  /// The flits behind the head: one per cycle of the last node, and any additional time.
  /// \param end the step of the delivery or loss.
  void follow(const HeadTrack& track, PacketHistory& history, Step end) const {
    const Stay& last = track.stays.back();
    const Step behind = Step{history.flits - 1} * graph_.period(last.node);
    const Step together = std::min(last.to + behind, end);
    const auto add = [&](Step from, Step to, WaitCause cause, std::vector<PacketId> behind) {
      if (from < to) history.waits.push_back({last.node, from, to, "", cause, std::move(behind), {}});
    };
    add(last.to, together, WaitCause::length, {});
    if (together < end) add(together, end, WaitCause::stretched, between_flits(track, end));
  }

  /// Waits end with the loss, and the last stay is not a wait.
  void end_with_loss(const HeadTrack& track, PacketHistory& history) const {
    const Loss& loss = run_.packets.lost->at(track.packet);
    auto& waits = history.waits;
    waits.erase(std::remove_if(waits.begin(), waits.end(),
                               [&](const Wait& wait) { return wait.from >= loss.at || wait.cause == WaitCause::open; }),
                waits.end());
    for (Wait& wait : waits) wait.to = std::min(wait.to, loss.at);
    const LossPlace place = place_of_loss(run_, track);
    history.lost = LossOfPacket{std::string(loss_cause_names[static_cast<std::size_t>(loss.cause)]), loss.at,
                                place.node, place.fault, graph_.node_name(place.node)};
  }

  /// The packets whose flits went between those of the packet, on its path; ascending.
  std::vector<PacketId> between_flits(const HeadTrack& track, Step end) const {
    std::vector<PacketId> others;
    for (const Stay& stay : track.stays) {
      if (stay.out == no_port) continue;
      const auto& list = evidence_.departures(stay.node, stay.out);
      auto last = list.end();
      for (auto at = list.begin(); at != list.end(); ++at)
        if (at->packet == track.packet && at->step <= end) last = at;
      for (auto at = list.begin(); at != list.end() && at < last; ++at)
        if (at->step > stay.to && at->packet != track.packet && at->packet != no_packet) others.push_back(at->packet);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    return others;
  }

  const RunFiles& run_;
  const NetworkGraph& graph_;
  const Evidence& evidence_;
  NodeId destination_ = no_node;
  std::vector<std::int32_t> distances_{};  ///< [node] to destination_
  std::int64_t nearest_ = 0;               ///< least distance of the head so far, in links
};

/// A packet that was never sent. Its fault is the dead processor, if that is the cause.
PacketHistory history_of_unsent(const RunFiles& run, PacketId number) {
  const NetworkGraph& graph = run.network.graph;
  const Packet& packet = run.unsent.at(number);
  const Loss& loss = run.packets.lost->at(number);
  PacketHistory history;
  history.packet = number;
  history.source = graph.node_name(packet.source);
  history.destination = graph.node_name(packet.destination);
  history.flits = packet.flits;
  history.created = packet.created;
  history.distance = run.rules.router ? graph.distance_over_routers(packet.source, packet.destination)
                                      : graph.distance(packet.source, packet.destination);
  LossOfPacket& lost = history.lost.emplace();
  lost.cause = loss_cause_names[static_cast<std::size_t>(loss.cause)];
  lost.step = loss.at;
  lost.node = packet.source;
  if (loss.cause == LossCause::dead_source) lost.fault = history.source;
  if (loss.cause == LossCause::dead_destination) lost.fault = history.destination;
  return history;
}

void note_attempt(const RunFiles& run, PacketHistory& history) {
  const PacketTable& packets = run.packets;
  if (!packets.attempts) return;
  const auto found = packets.attempts->find(history.packet);
  AttemptOfPacket& attempt = history.attempt.emplace();
  attempt.first = found == packets.attempts->end() ? history.packet : found->second;
  for (const auto& [later, first] : *packets.attempts) {
    if (first != attempt.first) continue;
    if (later <= history.packet) ++attempt.number;
    if (later <= history.packet || attempt.next != no_packet) continue;
    attempt.next = later;
    const auto unsent = run.unsent.find(later);
    attempt.next_created =
        unsent == run.unsent.end() ? packets.packets[static_cast<std::size_t>(later)].created : unsent->second.created;
  }
}

std::vector<PacketHistory> explain_all(const RunFiles& run, const std::vector<HeadTrack>& tracks) {
  const Evidence evidence(run, tracks);
  WaitExplainer explainer(run, evidence);
  std::vector<PacketHistory> histories;
  for (const HeadTrack& track : tracks) histories.push_back(explainer.explain(track));
  return histories;
}

}  // namespace

std::vector<PacketHistory> packet_histories(const std::filesystem::path& folder, const KnownEntries& known,
                                            const std::vector<PacketId>& packets) {
  const RunFiles run = read_run_files(folder, known);
  std::vector<PacketId> others;
  for (const PacketId packet : packets)
    if (run.unsent.count(packet) == 0) others.push_back(packet);
  check_packets(folder, others, run.packets);
  std::vector<PacketHistory> found = explain_all(run, read_tracks(run, others).tracks);
  std::vector<PacketHistory> histories;
  auto next = found.begin();
  for (const PacketId packet : packets) {
    histories.push_back(run.unsent.count(packet) == 0 ? std::move(*next++) : history_of_unsent(run, packet));
    note_attempt(run, histories.back());
  }
  return histories;
}

WaitingOverview waiting_overview(const std::filesystem::path& folder, const KnownEntries& known) {
  const RunFiles run = read_run_files(folder, known);
  std::vector<Step> created;
  for (std::size_t p = 0; p < run.packets.packets.size(); ++p)
    created.push_back(run.lost_at(static_cast<PacketId>(p)) == no_step ? run.packets.packets[p].created : no_step);
  // A packet that never arrived waited longer than until the last event of a packet.
  Step last = 0;
  for (const Step at : created) last = std::max(last, at + 1);
  for (const Step at : run.packets.delivered) last = std::max(last, at + 1);
  TracksRead read = read_tracks(run, slowest(created, run.packets.delivered, last));
  return {explain_all(run, read.tracks), most_expensive(std::move(read.links)), most_expensive(std::move(read.nodes))};
}

}  // namespace starloom::links

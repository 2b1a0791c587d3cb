// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/head_track.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <starloom/support/error.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>

namespace starloom::links {
namespace {

constexpr const char* incomplete =
    "; the trace is damaged or incomplete (the whole run is needed: run with --trace, without FROM:TO)";

/// Follows the heads of all packets and adds up their waits.
class HeadTally {
 public:
  explicit HeadTally(const RunFiles& run)
      : run_(run),
        graph_(run.network.graph),
        heads_(run.packets.packets.size()),
        links_(graph_.link_slots()),
        nodes_(static_cast<std::size_t>(graph_.nodes())) {
    for (std::size_t p = 0; p < heads_.size(); ++p)
      heads_[p] = {run.packets.packets[p].source, run.packets.packets[p].created};
  }

  void row(const TraceRow& row) {
    if (row.flit != 0 || row.event == TraceEvent::drop || run_.tree_of(row.packet) != nullptr) return;
    Head& head = heads_[static_cast<std::size_t>(row.packet)];
    if (head.node != row.node || row.step < head.ready)
      reject_row(run_, row,
                 fmt::format("packet {} is not in {}{}", row.packet, graph_.node_name(row.node), incomplete));
    const Step of_pipeline = run_.timeline ? run_.timeline->undisturbed(row) : 0;
    const Step waited = std::max<Step>(0, row.step - head.ready - of_pipeline);
    head.ready = row.step;
    if (row.event == TraceEvent::hop) links_[graph_.index(row.node, row.port)] += waited;
    if (row.event == TraceEvent::hop || row.event == TraceEvent::inject) {
      const router::BufferEntry next = arrival(run_, row);
      head = {next.node, next.step};
    }
    nodes_[static_cast<std::size_t>(row.node)] += waited;
  }

  std::vector<WaitLocation> links() const {
    std::vector<WaitLocation> locations;
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for (const Port port : graph_.out_ports(node))
        if (const Step waited = links_[graph_.index(node, port)]; waited > 0)
          locations.push_back({graph_.link_name(node, port), waited});
    return locations;
  }
  std::vector<WaitLocation> nodes() const {
    std::vector<WaitLocation> locations;
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      if (const Step waited = nodes_[static_cast<std::size_t>(node)]; waited > 0)
        locations.push_back({graph_.node_name(node), waited});
    return locations;
  }

 private:
  struct Head {
    NodeId node = no_node;
    Step ready = 0;
  };
  const RunFiles& run_;
  const NetworkGraph& graph_;
  std::vector<Head> heads_;  ///< [packet]
  std::vector<Step> links_;  ///< [NetworkGraph::index]
  std::vector<Step> nodes_;  ///< [node]
};

void enter(Stay& stay, const router::BufferEntry& entry) {
  stay.node = entry.node;
  stay.from = entry.step;
  stay.in = entry.in;
  stay.in_channel = entry.channel;
}

/// The destination that got the tail of a packet to several last; if they did not all get it, the node of the packet's
/// entry in the cycle of a deadlock, or the one that its head has come to last.
NodeId last_destination(const RunFiles& run, const HeadTrack& track, const std::vector<TraceRow>& ends) {
  const Step delivered = run.packets.delivered[static_cast<std::size_t>(track.packet)];
  for (const TraceRow& end : ends)
    if (end.step == delivered) return end.node;
  if (delivered != no_step)
    throw InputError(
        fmt::format("{}: packet {} is delivered in step {} by packets.csv, but no destination gets its "
                    "tail then{}",
                    find_trace(run.folder).string(), track.packet, delivered, incomplete));
  for (const CyclePacket& entry : run.deadlock)
    if (entry.packet == track.packet) return entry.node;
  for (auto row = track.head.rbegin(); row != track.head.rend(); ++row)
    if (row->event == TraceEvent::hop) return row->to;
  return run.packets.packets[static_cast<std::size_t>(track.packet)].source;
}

/// Keeps the rows of a head on its path to one of several destinations.
/// \param ends the rows with which destinations got its tail.
void keep_path(const RunFiles& run, HeadTrack& track, const std::vector<TraceRow>& ends) {
  track.destination = last_destination(run, track, ends);
  std::vector<TraceRow> path;
  NodeId node = track.destination;
  for (auto row = track.head.rbegin(); row != track.head.rend(); ++row) {
    const bool on_path = row->event == TraceEvent::hop     ? row->to == node
                         : row->event == TraceEvent::eject ? row->node == track.destination
                                                           : true;
    if (!on_path) continue;
    path.push_back(*row);
    if (row->event == TraceEvent::hop) node = row->node;
  }
  track.head.assign(path.rbegin(), path.rend());
}

/// The stays between the rows of a head, whose consistency HeadTally has checked.
std::vector<Stay> stays_of(const RunFiles& run, const HeadTrack& track, Step end) {
  const NetworkGraph& graph = run.network.graph;
  const Packet& packet = run.packets.packets[static_cast<std::size_t>(track.packet)];
  std::vector<Stay> stays;
  Stay now;
  now.node = packet.source;
  now.from = packet.created;
  bool consumed = false;
  for (const TraceRow& row : track.head) {
    now.to = row.step;
    if (run.timeline)
      if (const auto won = run.timeline->grant(row)) now.granted = won->step;
    Stay next;
    next.node = row.node;
    next.from = row.step;
    switch (row.event) {
      case TraceEvent::inject:
        now.end = StayEnd::injected;
        enter(next, arrival(run, row));
        break;
      case TraceEvent::hop:
        now.end = StayEnd::crosses;
        now.out = row.port;
        now.out_channel = row.channel;
        enter(next, arrival(run, row));
        break;
      case TraceEvent::eject:
        now.end = StayEnd::consumed;
        now.out = graph.ports();
        consumed = true;
        break;
      default: now.end = StayEnd::stored; next.stored = true;
    }
    stays.push_back(now);
    now = next;
  }
  const Step delivered = run.packets.delivered[static_cast<std::size_t>(track.packet)];
  if (const Step lost = run.lost_at(track.packet); lost != no_step) end = lost;
  const bool at_home = packet.source == packet.destination && track.head.empty();
  if (delivered != no_step && !consumed && !at_home)
    throw InputError(fmt::format("{}: packet {} is delivered in step {} by packets.csv, but has no row `eject`{}",
                                 find_trace(run.folder).string(), track.packet, delivered, incomplete));
  if (delivered != no_step && consumed && delivered < stays.back().to)
    throw InputError(fmt::format("{}: packet {} is delivered in step {}, before its head arrives by the trace",
                                 (run.folder / "packets.csv").string(), track.packet, delivered));
  if (consumed) return stays;
  now.end = at_home && delivered != no_step ? StayEnd::consumed : StayEnd::trace_ends;
  now.to = std::max(now.from, at_home && delivered != no_step ? delivered : end);
  stays.push_back(now);
  return stays;
}

}  // namespace

router::BufferEntry arrival(const RunFiles& run, const TraceRow& row) {
  if (run.timeline)
    if (const auto entry = run.timeline->entry(row)) return *entry;
  const NetworkGraph& graph = run.network.graph;
  if (row.event != TraceEvent::hop) return {row.node, graph.ports(), row.channel, row.step};
  const Step readable = run.timeline ? run.timeline->readable(row) : row.step + graph.latency(row.node, row.port);
  return {row.to, graph.far_end(row.node, row.port).port, row.channel, readable};
}

TracksRead read_tracks(const RunFiles& run, const std::vector<PacketId>& packets) {
  TracksRead read;
  std::vector<std::int32_t> wanted(run.packets.packets.size(), -1);
  std::map<PacketId, std::vector<TraceRow>> ends;  // of requested packets to several destinations
  for (const PacketId packet : packets) {
    wanted[static_cast<std::size_t>(packet)] = static_cast<std::int32_t>(read.tracks.size());
    read.tracks.push_back({packet, {}});
  }
  HeadTally tally(run);
  const LinkErrors* const errors = repeats_flits(run.rules.errors.get()) ? nullptr : run.rules.errors.get();
  TraceReader trace(find_trace(run.folder), SubnetRows(run.network.graph), &run.packets.packets);
  for (std::vector<TraceRow> rows; trace.next(rows);) {
    if (rows.front().step < read.end) reject_row(run, rows.front(), "comes after a later step");
    read.end = rows.front().step + 1;
    for (const TraceRow& row : rows) {
      check_row(run, row);
      if (row.packet == no_packet || is_repetition(row.event)) continue;
      tally.row(row);
      const std::int32_t track = wanted[static_cast<std::size_t>(row.packet)];
      if (track >= 0 && row.event == TraceEvent::drop)
        read.tracks[static_cast<std::size_t>(track)].drops.push_back(row);
      else if (track >= 0 && row.flit == 0) read.tracks[static_cast<std::size_t>(track)].head.push_back(row);
      if (track >= 0 && errors != nullptr && row.event == TraceEvent::hop &&
          !read.tracks[static_cast<std::size_t>(track)].corrupt && errors->corrupts(row.node, row.port, row.step))
        read.tracks[static_cast<std::size_t>(track)].corrupt = row;
      const bool ends_copy = row.event == TraceEvent::eject &&
                             row.flit + 1 == run.packets.packets[static_cast<std::size_t>(row.packet)].flits;
      if (track >= 0 && ends_copy && run.tree_of(row.packet) != nullptr) ends[row.packet].push_back(row);
    }
  }
  for (HeadTrack& track : read.tracks) {
    if (run.tree_of(track.packet) != nullptr) keep_path(run, track, ends[track.packet]);
    else track.destination = run.packets.packets[static_cast<std::size_t>(track.packet)].destination;
    track.stays = stays_of(run, track, read.end);
  }
  read.links = tally.links();
  read.nodes = tally.nodes();
  return read;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/snapshot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include <starloom/inspection/links/dead_hardware.hpp>
#include <starloom/router/timeline.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/links/run_faults.hpp>
#include <starloom/verify/links/run_network.hpp>
#include <starloom/verify/trace_window_file.hpp>

namespace starloom::links {
namespace {

namespace fs = std::filesystem;

/// A window contains neither earlier nor later steps; that a flit has left a buffer of a router is known `delay`
/// steps later.
void require_steps(const fs::path& folder, Step step, Step delay) {
  const auto window = read_trace_window(folder);
  if (!window || (window->from == 0 && (window->to == no_step || step < window->to - delay))) return;
  const bool within = window->from == 0 && step < window->to;
  throw InputError(
      fmt::format("--step {}: {}{}; run with --trace, without FROM:TO", step, window_text(*window, "step"),
                  within ? fmt::format(", and departures of flits from buffers are known {} steps later", delay) : ""));
}

bool has_storage(const ResultDocument& result, const char* model) {
  return result.given("storage.model") && result.text("storage.model") == model;
}

/// Follows every flit through the rows up to one step.
class Replay {
 public:
  /// `stands_on_links`: nodes store no flits, and a flit stays in the register of its link until it moves on.
  /// `routers`: a flit in a node need not be in a buffer. `repeats`: links repeat flits.
  Replay(const LinkNetwork& network, Step until, bool stands_on_links, const std::optional<router::Pipelines>& routers,
         bool repeats)
      : network_(network), until_(until), stands_on_links_(stands_on_links), repeats_(repeats && routers) {
    if (routers) timeline_.emplace(network.graph, *routers, 0, repeats);
  }
  /// Number of steps of rows after `until` that it needs.
  Step delay() const { return timeline_ ? timeline_->longest_delay() : 0; }

  void row(const TraceRow& row) {
    require_valid_ports(row);
    if (is_repetition(row.event)) return;
    const bool control = row.event == TraceEvent::key || row.event == TraceEvent::token;
    const bool on_link = row.port >= 0 && leaves_link(row) > until_;
    if (control) {
      if (on_link) controls_.push_back({row.node, row.port, row.to, row.event, no_packet, -1});
      return;
    }
    if (row.packet > last_.packet) last_ = row;
    if (row.event == TraceEvent::drop) {
      flits_.erase(key(static_cast<PacketId>(row.packet), row.flit));
      return;
    }
    if (static_cast<std::size_t>(row.packet) < arrived_.size() && arrived_[static_cast<std::size_t>(row.packet)])
      return;
    Where& where = flits_[key(static_cast<PacketId>(row.packet), row.flit)];
    where = {row, row.event == TraceEvent::hop && (on_link || stands_on_links_), false};
    if (!timeline_) return;
    const auto entry = timeline_->entry(row);
    where.passing = !entry || entry->step > until_;
    if (const MulticastTree* const tree = tree_of(row.packet); tree != nullptr) copy(where, *tree);
  }
  /// A row after the step, by at most `delay()` steps.
  void row_behind(const TraceRow& row) {
    require_valid_ports(row);
    const auto won = timeline_->grant(row);
    if (!won || won->step > until_) return;
    if (tree_of(row.packet) != nullptr) {
      const auto copied = copies_.find({row.packet, row.flit, row.node});
      if (copied != copies_.end() && --copied->second.left == 0) copied->second.where.passing = true;
      return;
    }
    const auto flit = flits_.find(key(row.packet, row.flit));
    if (flit != flits_.end()) flit->second.passing = true;
  }

  /// Called with all rows before the others, if these are needed.
  void read(const TraceRow& row) {
    require_valid_ports(row);
    timeline_->read(row);
  }
  bool reads_all_rows() const { return timeline_ && timeline_->reads_rows(); }

  /// Called before the rows, if packets may have several destinations. \param trees null: none have.
  void follow_copies(const PacketTable& table, std::shared_ptr<const std::vector<MulticastTree>> trees) {
    table_ = &table;
    trees_ = std::move(trees);
  }

  /// Called before the rows: packets that have arrived, or are lost, need not be tracked. Returns the first relevant
  /// step.
  Step expect(const PacketTable& table) {
    Step first = until_ - network_.graph.greatest_latency();  // keys and tokens are no longer on links
    for (std::size_t p = 0; p < table.packets.size(); ++p) {
      arrived_.push_back(table.delivered[p] != no_step && table.delivered[p] <= until_);
      if (table.lost)
        if (const auto loss = table.lost->find(static_cast<PacketId>(p)); loss != table.lost->end())
          arrived_[p] = loss->second.at <= until_;
      if (!arrived_[p] && table.packets[p].exists()) first = std::min<Step>(first, table.packets[p].created);
    }
    return first;
  }

  /// Called after the rows: of packets created up to the step, the flits without a row are in the memories of their
  /// sources.
  void packets(const PacketTable& table) {
    if (last_.packet >= static_cast<std::int64_t>(table.packets.size()))
      throw InputError(fmt::format("trace.csv: step {} names a packet that is not in packets.csv", last_.step));
    for (std::size_t p = 0; p < table.packets.size(); ++p) {
      const Packet& packet = table.packets[p];
      const auto id = static_cast<PacketId>(p);
      if (!packet.exists() || packet.created > until_ || arrived_[p] || packet.source < 0 ||
          packet.source >= network_.graph.nodes())
        continue;
      for (std::int32_t flit = 0; flit < packet.flits; ++flit)
        if (flits_.count(key(id, flit)) == 0) {
          unsent_.push_back({packet.source, id, flit > 0});
          break;
        }
    }
  }

  Snapshot snapshot() const {
    Snapshot picture{network_, until_, {}, no_step, no_step, controls_, {}, {}};
    picture.nodes.resize(static_cast<std::size_t>(network_.graph.nodes()));
    std::vector<Where> seen;
    for (const auto& [flit, where] : flits_)
      if (tree_of(where.row.packet) == nullptr) seen.push_back(where);
    for (const auto& [place, copied] : copies_) seen.push_back(copied.where);
    std::sort(seen.begin(), seen.end(), [](const Where& a, const Where& b) {
      return std::tie(a.row.packet, a.row.flit, a.row.node) < std::tie(b.row.packet, b.row.flit, b.row.node);
    });
    for (const Where& where : seen) {
      const TraceRow& row = where.row;
      if (where.on_link) {
        picture.links.push_back({row.node, row.port, row.to, row.event, row.packet, row.flit});
      } else if (row.event != TraceEvent::eject) {
        NodeContent& content =
            picture.nodes[static_cast<std::size_t>(row.event == TraceEvent::hop ? row.to : row.node)];
        auto& list = row.event == TraceEvent::store ? content.stored
                     : where.passing                ? content.passing
                                                    : content.in_buffers;
        if (list.empty() || list.back() != row.packet) list.push_back(row.packet);
      }
    }
    for (const auto& [node, packet, partly] : unsent_) {
      NodeContent& content = picture.nodes[static_cast<std::size_t>(node)];
      content.in_source.push_back(packet);
      if (partly) content.partly.push_back(packet);
    }
    for (NodeContent& content : picture.nodes) {
      const auto& in_buffers = content.in_buffers;
      content.passing.erase(
          std::remove_if(content.passing.begin(), content.passing.end(),
                         [&](PacketId p) { return std::binary_search(in_buffers.begin(), in_buffers.end(), p); }),
          content.passing.end());
    }
    std::sort(picture.links.begin(), picture.links.end(), [](const FlitOnLink& a, const FlitOnLink& b) {
      return std::tie(a.node, a.port, a.packet, a.flit) < std::tie(b.node, b.port, b.packet, b.flit);
    });
    return picture;
  }

 private:
  struct Where {
    TraceRow row;  ///< the last one
    bool on_link = false;
    bool passing = false;  ///< if not on a link: in no buffer
  };
  /// A flit in a node from which it has not left through all ports of its tree.
  struct Copied {
    Where where;
    int left = 0;  ///< ports
  };
  /// A flit that a link repeats is on it until it is accepted.
  Step leaves_link(const TraceRow& row) const {
    return repeats_ ? timeline_->readable(row) : row.step + network_.graph.latency(row.node, row.port);
  }
  const MulticastTree* tree_of(std::int64_t packet) const {
    if (trees_ == nullptr || packet < 0 || packet >= static_cast<std::int64_t>(table_->packets.size())) return nullptr;
    const NodeId destination = table_->packets[static_cast<std::size_t>(packet)].destination;
    return is_group(destination) ? &(*trees_)[group_index(destination)] : nullptr;
  }
  /// A copy has moved as its row says.
  void copy(const Where& where, const MulticastTree& tree) {
    const TraceRow& row = where.row;
    if (row.event != TraceEvent::inject)
      if (const auto before = copies_.find({row.packet, row.flit, row.node});
          before != copies_.end() && --before->second.left == 0)
        copies_.erase(before);
    if (row.event == TraceEvent::eject) return;
    const NodeId there = row.event == TraceEvent::hop ? row.to : row.node;
    copies_[{row.packet, row.flit, there}] = {where, __builtin_popcountll(tree.at(there))};
  }
  void require_valid_ports(const TraceRow& row) const {
    const auto nodes = network_.graph.nodes();
    if (row.node < 0 || row.node >= nodes || row.to >= nodes || row.port >= network_.graph.ports())
      throw InputError(fmt::format("trace.csv: step {} names a node or port that the network does not have", row.step));
    const bool crosses = row.event == TraceEvent::hop || row.event == TraceEvent::resend;
    const bool ends = row.event == TraceEvent::discard;
    if (ends && (row.port < 0 || !network_.graph.near_end(row.node, row.port).connected()))
      throw InputError(fmt::format("trace.csv: step {} has a discard at an in-port that has no link", row.step));
    if (crosses && (row.port < 0 || row.to < 0 || network_.graph.far_end(row.node, row.port).node != row.to))
      throw InputError(fmt::format("trace.csv: step {} has a hop without a port, or to no node", row.step));
  }
  static std::uint64_t key(PacketId packet, std::int32_t flit) {
    return static_cast<std::uint64_t>(packet) << 32 | static_cast<std::uint32_t>(flit);
  }

  const LinkNetwork& network_;
  Step until_;
  bool stands_on_links_;
  bool repeats_;
  std::optional<router::Timeline> timeline_;        ///< for routers
  TraceRow last_;                                   ///< the first one of the highest packet
  std::vector<bool> arrived_;                       ///< [packet] by the step, or lost; empty: not known
  std::unordered_map<std::uint64_t, Where> flits_;  ///< for speed; `snapshot` sorts the data taken from it
  const PacketTable* table_ = nullptr;
  std::shared_ptr<const std::vector<MulticastTree>> trees_{};
  std::map<std::tuple<PacketId, std::int32_t, NodeId>, Copied> copies_;  ///< [packet, flit, node]
  std::vector<FlitOnLink> controls_;
  struct Unsent {
    NodeId node;
    PacketId packet;
    bool partly;  ///< some of its flits have left
  };
  std::vector<Unsent> unsent_;  ///< by packet
};

}  // namespace

Snapshot take_snapshot(const fs::path& folder, const std::vector<TopologyEntry>& topologies, Step step) {
  const ResultDocument result(folder / "result.json");
  const int subnets = read_subnets(result);
  const LinkNetwork subnet = read_network(folder, result, topologies), network = with_subnets(subnet, subnets);
  std::optional<router::Pipelines> routers;
  if (has_storage(result, "virtual-channels")) routers = read_pipelines(result, subnet.graph);
  Replay replay(network, step, has_storage(result, "links-only"), routers,
                repeats_flits(errors_of_run(result, subnet.graph).get()));
  require_steps(folder, step, replay.delay());
  std::optional<PacketTable> packets;
  if (subnets > 1 || is_there(folder / "packets.csv")) {  // of subnets, rows alone do not name all
    packets = read_packets(folder / "packets.csv", numbering_of(result));
    leave_out_lost_when_created(*packets);
    for (Packet& packet : packets->packets) packet = in_own_subnet(network.graph, packet);
    replay.follow_copies(*packets, paths_of(result, subnet, packets->destinations.groups()));
  }
  const auto reader = [&] {
    return TraceReader(find_trace(folder), SubnetRows(network.graph), packets ? &packets->packets : nullptr);
  };
  if (replay.reads_all_rows()) {
    TraceReader all = reader();
    for (std::vector<TraceRow> rows; all.next(rows);)
      for (const TraceRow& row : rows) replay.read(row);
  }
  TraceReader trace = reader();
  if (packets) trace.skip_to(replay.expect(*packets));
  std::vector<TraceRow> rows;
  bool goes_on = false;
  Step last = result.integer("steps");
  while ((goes_on = trace.next(rows)) && rows.front().step <= step) {
    last = std::max(last, rows.front().step);
    for (const TraceRow& row : rows) replay.row(row);
  }
  for (bool more = goes_on; more && rows.front().step <= step + replay.delay(); more = trace.next(rows))
    for (const TraceRow& row : rows) replay.row_behind(row);
  // A run that did not complete keeps the state in which the trace ended.
  const bool ended = !goes_on && step > last;
  if (ended && result.outcome() == Outcome::completed)
    throw InputError(fmt::format("--step {}: the trace ends in step {}; choose an earlier step", step, last));
  if (packets) replay.packets(*packets);
  Snapshot snapshot = replay.snapshot();
  if (ended) snapshot.last_row = last;
  if (const auto faults = faults_of_run(result, subnet.graph, result.small("storage.channels", 1, most_channels)))
    snapshot.dead = hardware_names(subnet.graph, dead_in(faults->start(), faults->events(), step));
  if (result.given("experiment.faults")) snapshot.draining_since = read_routing_changes(folder).draining_since(step);
  if (!result.given("deadlock.step") || result.integer("deadlock.step") <= step)
    snapshot.cycle = read_cycle(result, network.graph, std::numeric_limits<PacketId>::max());
  return snapshot;
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/replay.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/inspection/links/dead_hardware.hpp>
#include <starloom/inspection/links/flit_log.hpp>
#include <starloom/inspection/links/replay_network.hpp>
#include <starloom/inspection/links/replay_power.hpp>
#include <starloom/inspection/links/replay_workload.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/links/why.hpp>
#include <starloom/inspection/wave_values.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>
#include <starloom/verify/links/verify.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// Number of packets with waits in a page, those that took longest; for others use `why`.
constexpr std::size_t most_histories = 5000;

// Tokens of rows; a hop is `hop_token` + its port.
constexpr std::uint64_t inject_token = 0, eject_token = 1, store_token = 2, hop_token = 3;

std::uint64_t token_of(const TraceRow& row) {
  switch (row.event) {
    case TraceEvent::inject: return inject_token;
    case TraceEvent::eject: return eject_token;
    case TraceEvent::store: return store_token;
    default: return hop_token + static_cast<std::uint64_t>(row.port);
  }
}

using Rows = std::vector<TraceRow>;
using RowIterator = Rows::const_iterator;

/// Writes packets and the rows of their flits.
class FlitWriter {
 public:
  FlitWriter(const RunFiles& run, bool channels)
      : run_(run), channels_(channels), reads_rows_(run.timeline && run.timeline->reads_rows()) {}

  void packet(PacketId id, RowIterator begin, RowIterator end) {
    const auto at = static_cast<std::size_t>(id);
    const Packet& packet = run_.packets.packets[at];
    const Step delivered = run_.packets.delivered[at];
    packets_.number(static_cast<std::uint64_t>(id - last_id_));
    last_id_ = id;
    packets_.number(static_cast<std::uint64_t>(packet.source));
    const MulticastTree* const tree = run_.tree_of(id);
    packets_.number(static_cast<std::uint64_t>(tree == nullptr ? packet.destination : run_.network.graph.nodes()));
    packets_.number(static_cast<std::uint64_t>(packet.flits));
    packets_.difference(packet.created - last_created_);
    last_created_ = packet.created;
    packets_.number(delivered == no_step ? 0 : static_cast<std::uint64_t>(delivered - packet.created + 1));
    before_ = {end, end};
    Step start = packet.created;
    std::int32_t last_flit = -1;
    while (begin != end) {
      const RowIterator next = std::find_if(begin, end, [&](const TraceRow& row) { return row.flit != begin->flit; });
      if (tree != nullptr) {
        paths_.push_back(paths_of_copies(begin, next, *tree));
        for (const Rows& path : paths_.back()) write(path.begin(), path.end(), packet.source, last_flit, start);
      } else {
        write(begin, next, packet.source, last_flit, start);
      }
      begin = next;
    }
    packets_.number(0);
    before_ = {};
    paths_.clear();
  }

  void into(ReplayContent& content) {
    content.sections.emplace_back("packets", std::move(packets_));
    content.sections.emplace_back("tokens", std::move(tokens_));
    content.sections.emplace_back("steps", std::move(steps_));
    if (reads_rows_) content.sections.emplace_back("late", std::move(late_));
    content.sections.emplace_back("channels", std::move(channel_numbers_));
  }

 private:
  /// Numbers of flits rise, and if packets have several destinations, one more is added to each difference, because the
  /// paths of the copies of a flit have the same number.
  void write(RowIterator begin, RowIterator end, NodeId source, std::int32_t& last_flit, Step& start) {
    packets_.number(static_cast<std::uint64_t>(begin->flit - last_flit + (run_.rules.trees == nullptr ? 0 : 1)));
    last_flit = begin->flit;
    flit(begin, end, source, start);
    start = begin->step;
  }

  /// The rows of a flit with several destinations as paths. In each node the copy that leaves last continues the path
  /// that came there, because until then the flit is in the buffer; if it has not left through all ports, none does.
  std::vector<Rows> paths_of_copies(RowIterator begin, RowIterator end, const MulticastTree& tree) const {
    std::map<NodeId, Rows> leaving;
    for (RowIterator row = begin; row != end; ++row)
      if (row->event != TraceEvent::inject) leaving[row->node].push_back(*row);
    const auto left = [&](const TraceRow& row) { return run_.timeline->grant(row)->step; };
    std::map<NodeId, TraceRow> onward;
    std::vector<Rows> paths{{*begin}};
    for (auto& [node, rows] : leaving) {
      std::sort(rows.begin(), rows.end(), [&](const TraceRow& a, const TraceRow& b) { return left(a) < left(b); });
      const bool all = rows.size() == static_cast<std::size_t>(__builtin_popcountll(tree.at(node)));
      if (all) onward[node] = rows.back();
      for (std::size_t i = 0; i + (all ? 1 : 0) < rows.size(); ++i) paths.push_back({rows[i]});
    }
    for (Rows& path : paths)
      for (;;) {
        const TraceRow last = path.back();
        if (last.event == TraceEvent::eject) break;
        const auto next = onward.find(last.event == TraceEvent::hop ? last.to : last.node);
        if (next == onward.end()) break;
        path.push_back(next->second);
      }
    return paths;
  }

  /// The first step is relative to `start`, the first node to the source. 0 rows: the same path as the flit before.
  void flit(RowIterator begin, RowIterator end, NodeId source, Step start) {
    packets_.difference(begin->node - source);
    const bool same = std::equal(before_.first, before_.second, begin, end, [](const TraceRow& a, const TraceRow& b) {
      return token_of(a) == token_of(b) && a.channel == b.channel && a.node == b.node;
    });
    const auto count = static_cast<std::uint64_t>(end - begin);
    packets_.number(same ? 0 : count);
    for (RowIterator row = begin; row != end; ++row) {
      steps_.difference(row->step - start);
      start = row->step;
      if (reads_rows_) late_.number(static_cast<std::uint64_t>(late(*row)));
      if (same) continue;
      tokens_.number(token_of(*row));
      if (channels_ && row->channel >= 0) channel_numbers_.number(static_cast<std::uint64_t>(row->channel));
    }
    before_ = {begin, end};
  }

  /// Steps between leaving a link and being readable.
  Step late(const TraceRow& row) const {
    if (row.event != TraceEvent::hop) return 0;
    return run_.timeline->readable(row) - row.step - run_.network.graph.latency(row.node, row.port);
  }

  const RunFiles& run_;
  const bool channels_;
  const bool reads_rows_;  ///< flits are readable later than their links end
  PacketId last_id_ = -1;
  Step last_created_ = 0;
  std::pair<RowIterator, RowIterator> before_;  ///< of the flit before
  std::deque<std::vector<Rows>> paths_{};       ///< of the copies of a packet's flits, to which `before_` points
  ByteStream packets_{}, tokens_{}, steps_{}, late_{}, channel_numbers_{};
};

ByteStream control_section(const RunFiles& run, RowIterator begin, RowIterator end) {
  ByteStream stream;
  stream.number(static_cast<std::uint64_t>(end - begin));
  std::size_t last_link = 0;
  Step last_step = 0;
  for (; begin != end; ++begin) {
    const std::size_t link = run.network.graph.index(begin->node, begin->port);
    stream.number(link - last_link);
    stream.number(begin->event == TraceEvent::key ? 0 : 1);
    stream.difference(begin->step - last_step);
    last_link = link;
    last_step = begin->step;
  }
  return stream;
}

/// The step in which a packet is delivered or lost; no_step: neither.
Step end_of(const RunFiles& run, PacketId packet) {
  const Step delivered = run.packets.delivered[static_cast<std::size_t>(packet)];
  return delivered != no_step ? delivered : run.lost_at(packet);
}

/// Packets in the network at some time of the window, with or without rows.
std::vector<PacketId> packets_of(const RunFiles& run, Step from, Step to) {
  std::vector<PacketId> packets;
  for (std::size_t p = 0; p < run.packets.packets.size(); ++p) {
    const Step end = end_of(run, static_cast<PacketId>(p));
    if (run.packets.packets[p].exists() && run.packets.packets[p].created < to && (end == no_step || end >= from))
      packets.push_back(static_cast<PacketId>(p));
  }
  return packets;
}

/// Those of the packets that took longest, by number.
std::vector<PacketId> slowest_packets(const RunFiles& run, std::vector<PacketId> packets, Step end) {
  const auto took = [&](PacketId packet) {
    const Step left = end_of(run, packet);
    return (left == no_step ? end : left) - run.packets.packets[static_cast<std::size_t>(packet)].created;
  };
  if (packets.size() > most_histories) {
    std::stable_sort(packets.begin(), packets.end(), [&](PacketId a, PacketId b) { return took(a) > took(b); });
    packets.resize(most_histories);
    std::sort(packets.begin(), packets.end());
  }
  return packets;
}

Json events_of(const std::filesystem::path& folder, const RunFiles& run, const KnownEntries& known,
               const FlitLog& log) {
  Json events = Json::array();
  if (run.outcome == Outcome::violation && !log.is_window()) {
    const VerifyReport report = verify_folder(folder, ResultDocument(folder / "result.json"), known);
    events.push_back({{"step", log.last()}, {"kind", "violation"}, {"text", report.violation}});
  }
  if (!run.deadlock.empty())
    events.push_back({{"step", log.last()}, {"kind", "deadlock"}, {"text", "packets wait for each other in a cycle"}});
  return events;
}

/// `link_r00_c00_east and node_r01_c01 die`
std::string names_text(const NetworkGraph& graph, const HardwarePlaces& places, const char* one, const char* several) {
  constexpr std::size_t most_named = 5;
  const std::vector<std::string> names = hardware_names(graph, places);
  return joined_with_and(names, most_named) + (names.size() == 1 ? one : several);
}

/// Adds the events of dead hardware in a window, by step, and `faults`: {links, routers, processors}, lists of
/// [number, first step, step of the repair or -1], and `causes`, the names of the numbers in the section `lost`.
void add_faults(const RunFiles& run, const ReplayNetwork& network, Step from, Step to, Json& facts) {
  if (run.rules.faults == nullptr) return;
  const NetworkGraph& graph = run.network.graph;
  Json links = Json::array(), routers = Json::array(), processors = Json::array();
  std::map<std::pair<Step, bool>, HardwarePlaces> changes;  // by step, and whether it dies
  for (const DeadTime& time : dead_times(*run.rules.faults, run.rules.fault_events)) {
    changes[{time.from, true}].emplace_back(time.node, time.port);
    if (time.until != no_step) changes[{time.until, false}].emplace_back(time.node, time.port);
    const bool is_link = time.port != no_port && time.port != graph.ports();
    Json& list = is_link ? links : time.port == no_port ? routers : processors;
    const auto number = is_link
                            ? static_cast<std::int64_t>(network.link_by_name(graph.link_name(time.node, time.port))) - 1
                            : static_cast<std::int64_t>(time.node);
    list.push_back({number, time.from, time.until == no_step ? -1 : time.until});
  }
  for (const auto& [change, places] : changes) {
    const auto [step, dies] = change;
    if (step < from || step >= to) continue;
    const char* const one = !dies ? " is repaired" : step == 0 ? " is dead from the start" : " dies";
    const char* const several = !dies ? " are repaired" : step == 0 ? " are dead from the start" : " die";
    facts["events"].push_back(
        {{"step", step}, {"kind", dies ? "dead" : "repaired"}, {"text", names_text(graph, places, one, several)}});
  }
  for (const RoutingChanges::Drain& drain : run.changes.drains)
    if (drain.from >= from && drain.from < to)
      facts["events"].push_back(
          {{"step", drain.from}, {"kind", "stopped"}, {"text", "processors stop until the network is empty"}});
  for (const Step step : run.changes.steps)
    if (step >= from && step < to)
      facts["events"].push_back(
          {{"step", step}, {"kind", "changed"}, {"text", "routing functions learn of dead and repaired hardware"}});
  std::stable_sort(facts["events"].begin(), facts["events"].end(),
                   [](const Json& a, const Json& b) { return a["step"] < b["step"]; });
  facts["faults"] = {{"links", std::move(links)},
                     {"routers", std::move(routers)},
                     {"processors", std::move(processors)},
                     {"causes", loss_cause_names}};
}

/// Of packets that are lost under way: index in the page, steps from their creation, cause.
ByteStream lost_section(const RunFiles& run, const std::vector<PacketId>& packets) {
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < packets.size(); ++i)
    if (run.lost_at(packets[i]) != no_step) lost.push_back(i);
  ByteStream stream;
  stream.number(lost.size());
  std::size_t last = 0;
  for (const std::size_t index : lost) {
    const PacketId packet = packets[index];
    const Loss& loss = run.packets.lost->at(packet);
    stream.number(index - std::exchange(last, index));
    stream.number(static_cast<std::uint64_t>(loss.at - run.packets.packets[static_cast<std::size_t>(packet)].created));
    stream.number(static_cast<std::uint64_t>(loss.cause));
  }
  return stream;
}

Json cycle_json(const RunFiles& run) {
  Json cycle = Json::array();
  for (const CyclePacket& entry : run.deadlock)
    cycle.push_back({{"node", entry.node}, {"port", entry.port}, {"packet", entry.packet}});
  return cycle;
}

/// From these data the page computes when flits are in buffers.
Json routers_json(const NetworkGraph& graph, const router::Pipelines& pipelines) {
  Json terminals = Json::array(), of_nodes = Json::array();
  const auto times = [](const router::Pipeline& pipeline, Step period) {
    return Json{{"injection", period * router::injection},
                {"to_link", period * pipeline.link_entry()},
                {"to_processor", period * pipeline.consumption()}};
  };
  const bool differ = !pipelines.alike() || graph.has_clocks();
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (graph.is_terminal(node)) terminals.push_back(node);
    if (differ) of_nodes.push_back(times(pipelines.at(node), graph.period(node)));
  }
  Json routers = times(pipelines.common, 1);
  routers["terminals"] = std::move(terminals);
  if (differ) routers["of_nodes"] = std::move(of_nodes);
  return routers;
}

}  // namespace

ReplayContent replay_content(const std::filesystem::path& folder, const KnownEntries& known,
                             const TraceWindow& window) {
  const RunFiles run = read_run_files(folder, known);
  const FlitLog log(run, window, most_replay_rows);
  const bool whole = !log.is_window() && window.from == 0 && window.to == no_step;
  if (run.rules.trees != nullptr && !whole)
    throw InputError(
        (folder / "packets.csv").string() +
        ": a packet has several destinations; a page with its copies has all steps, so leave out --from and "
        "--to, and FROM:TO of --trace");
  const Step from = std::max(window.from, log.is_window() ? log.first() : Step{0});
  const Step to = window.to == no_step ? log.last() + 1 : std::min(window.to, log.last() + 1);
  if (to - from > std::numeric_limits<std::int32_t>::max())
    throw InputError("a page has at most 2^31 - 1 steps; choose fewer with --from and --to");
  const ReplayNetwork network(run.network);
  const bool channels = run.rules.router.has_value();

  ReplayContent content;
  content.facts = {{"title", run.title},
                   {"kind", "links"},
                   {"clock", "step"},
                   {"outcome", outcome_names[static_cast<std::size_t>(run.outcome)]},
                   {"from", from},
                   {"to", to},
                   {"window", log.is_window()                           ? "of the run"
                              : window.from > 0 || window.to != no_step ? "of the trace"
                                                                        : ""},
                   {"storage", static_cast<int>(run.rules.storage)},
                   {"counts_unsent", run.counts_unsent},
                   {"routers", channels ? routers_json(run.network.graph, run.timeline->pipelines()) : Json()},
                   {"channels", channels ? run.rules.channels : 0},
                   {"late", run.timeline && run.timeline->reads_rows()},
                   {"copies", run.rules.trees != nullptr},
                   {"causes", wait_cause_names}};
  network.describe(content.facts);
  content.facts["events"] = events_of(folder, run, known, log);
  add_faults(run, network, from, to, content.facts);
  content.facts["cycle"] = cycle_json(run);

  const Rows& rows = log.rows();
  const auto begin =
      std::find_if(rows.begin(), rows.end(), [](const TraceRow& row) { return row.packet != no_packet; });
  const std::vector<PacketId> packets = packets_of(run, from, to);
  FlitWriter writer(run, channels);
  auto row = begin;
  for (const PacketId packet : packets) {
    while (row != rows.end() && row->packet < packet) ++row;
    const auto end = std::find_if(row, rows.end(), [&](const TraceRow& one) { return one.packet != packet; });
    writer.packet(packet, row, end);
    row = end;
  }
  content.facts["packets"] = packets.size();
  content.facts["rows"] = rows.size();
  writer.into(content);
  if (run.rules.faults != nullptr) content.sections.emplace_back("lost", lost_section(run, packets));
  if (run.messages) add_workload(run, from, to, content);
  if (!log.is_window()) add_power(run, from, to, content);
  content.sections.emplace_back("control", control_section(run, rows.begin(), begin));
  std::vector<PacketHistory> histories;
  if (!log.is_window()) histories = packet_histories(folder, known, slowest_packets(run, packets, to));
  content.sections.emplace_back(
      "histories", histories_section(histories, [&](const std::string& name) { return network.link_by_name(name); }));
  const NetworkGraph& graph = run.network.graph;
  std::vector<std::string> names;
  for (NodeId node = 0; node < graph.nodes(); ++node) names.push_back(graph.node_name(node));
  add_wave_values(folder, names, network.link_names(), content);
  return content;
}

}  // namespace starloom::links

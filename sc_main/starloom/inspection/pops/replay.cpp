// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/pops/replay.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/inspection/packet_numbers.hpp>
#include <starloom/inspection/pops/why.hpp>
#include <starloom/inspection/wave_values.hpp>
#include <starloom/support/error.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/trace_io/pops/trace_reader.hpp>
#include <starloom/verify/pops/facts.hpp>
#include <starloom/verify/run_title.hpp>

namespace starloom::pops {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_histories = 5000;  ///< packets with waits in a page

struct RowsRead {
  std::vector<TraceRow> rows;
  Step first = no_step;
  Step last = no_step;
};

RowsRead read_rows(const std::filesystem::path& file, const Pops& pops, std::size_t packets,
                   const TraceWindow& window) {
  RowsRead read;
  TraceReader trace(file);
  std::int64_t count = 0;
  for (std::vector<TraceRow> rows; trace.next(rows);) {
    read.last = rows.front().slot;
    if (read.first == no_step) read.first = read.last;
    if (read.last < window.from || (window.to != no_step && read.last >= window.to)) continue;
    count += static_cast<std::int64_t>(rows.size());
    for (const TraceRow& row : rows)
      if (row.processor >= pops.nodes() || row.source_group >= pops.groups() ||
          row.destination_group >= pops.groups() || (!row.silent() && static_cast<std::size_t>(row.packet) >= packets))
        throw InputError(fmt::format("{}: slot {}: a row names a processor, group or packet that does not exist",
                                     file.string(), row.slot));
    if (count <= most_replay_rows) read.rows.insert(read.rows.end(), rows.begin(), rows.end());
  }
  if (read.first == no_step) read.first = read.last = 0;
  if (count > most_replay_rows)
    refuse_rows(file, count, std::max(read.first, window.from), window.to == no_step ? read.last : window.to - 1);
  require_window(window, read.first, read.last);
  return read;
}

/// Slots ascend; within one, drives come before listens. The drivers of its coupler determine the message of a
/// listener.
ByteStream rows_section(const std::vector<TraceRow>& rows) {
  ByteStream stream;
  stream.number(rows.size());
  Step slot = 0;
  NodeId processor = 0;
  TraceEvent event = TraceEvent::drive;
  for (const TraceRow& row : rows) {
    stream.number(static_cast<std::uint64_t>(row.slot - slot));
    if (row.slot != slot || row.event != event) processor = 0;
    slot = row.slot;
    event = row.event;
    const bool ack = !row.silent() && row.kind == MessageKind::ack;
    stream.number(static_cast<std::uint64_t>(row.event) | (ack ? 2u : 0u) | (row.silent() ? 4u : 0u));
    stream.difference(row.processor - processor);
    processor = row.processor;
    stream.number(
        static_cast<std::uint64_t>(row.event == TraceEvent::drive ? row.destination_group : row.source_group));
    if (!row.silent()) stream.difference(row.packet - row.processor);
  }
  return stream;
}

ByteStream packets_section(const PacketTable& table) {
  ByteStream stream;
  for (std::size_t p = 0; p < table.packets.size(); ++p) {
    const Packet& packet = table.packets[p];
    stream.number(static_cast<std::uint64_t>(packet.source));
    stream.number(static_cast<std::uint64_t>(packet.destination + 1));
    stream.number(static_cast<std::uint64_t>(packet.created));
    stream.number(table.delivered[p] == no_step ? 0
                                                : static_cast<std::uint64_t>(table.delivered[p] - packet.created + 1));
  }
  return stream;
}

Json dead_json(const std::optional<DeadCouplers>& dead, const Pops& pops) {
  Json list = Json::array();
  if (!dead) return list;
  for (std::int32_t from = 0; from < pops.groups(); ++from)
    for (std::int32_t to = 0; to < pops.groups(); ++to)
      if (dead->contains(to, from)) list.push_back(pops.coupler(to, from));
  return list;
}

}  // namespace

ReplayContent replay_content(const std::filesystem::path& folder, const DeclaredRules& rules,
                             const TraceWindow& window) {
  const ResultDocument result(folder / "result.json");
  const std::filesystem::path file = find_trace(folder);
  const Pops pops = read_pops(result);
  const PacketTable table = read_packets(folder / "packets.csv");
  check_times(folder, table);
  const RowsRead read = read_rows(file, pops, table.packets.size(), window);
  const bool part_of_run = read.first > 0 || std::any_of(table.delivered.begin(), table.delivered.end(),
                                                         [&](Step at) { return at > read.last + 1; });
  ReplayContent content;
  content.facts = {{"title", run_title(result, fmt::format("POPS({},{})", pops.group_size(), pops.groups()))},
                   {"kind", "pops"},
                   {"clock", "slot"},
                   {"outcome", result.text("outcome")},
                   {"from", std::max(window.from, read.first)},
                   {"to", window.to == no_step ? read.last + 1 : std::min(window.to, read.last + 1)},
                   {"window", part_of_run                               ? "of the run"
                              : window.from > 0 || window.to != no_step ? "of the trace"
                                                                        : ""},
                   {"group_size", pops.group_size()},
                   {"groups", pops.groups()},
                   {"dead", dead_json(read_dead_couplers(result, pops), pops)},
                   {"causes", wait_cause_names},
                   {"events", Json::array()},
                   {"packets", table.packets.size()},
                   {"rows", read.rows.size()}};
  std::vector<PacketHistory> histories;
  if (!part_of_run) {
    std::vector<PacketId> packets(std::min(table.packets.size(), most_histories));
    for (std::size_t p = 0; p < packets.size(); ++p) packets[p] = static_cast<PacketId>(p);
    histories = packet_histories(folder, rules, packets);
  }
  content.sections.emplace_back("packets", packets_section(table));
  content.sections.emplace_back("rows", rows_section(read.rows));
  content.sections.emplace_back("histories",
                                histories_section(histories, [](const std::string&) { return std::uint64_t{0}; }));
  std::vector<std::string> names;
  for (NodeId node = 0; node < pops.nodes(); ++node) names.push_back(pops.node_name(node));
  add_wave_values(folder, names, {}, content);
  return content;
}

}  // namespace starloom::pops

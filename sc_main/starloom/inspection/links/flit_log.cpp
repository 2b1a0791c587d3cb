// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/flit_log.hpp>

#include <algorithm>
#include <tuple>

#include <starloom/inspection/replay_page.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>

namespace starloom::links {
namespace {

std::uint64_t flit_key(const TraceRow& row) {
  return static_cast<std::uint64_t>(row.packet) << 32 | static_cast<std::uint32_t>(row.flit);
}

}  // namespace

FlitLog::FlitLog(const RunFiles& run, const TraceWindow& window, std::int64_t most)
    : known_(run.packets.packets.size()) {
  const std::filesystem::path file = find_trace(run.folder);
  TraceReader trace(file, SubnetRows(run.network.graph), &run.packets.packets);
  std::int64_t count = 0;
  for (std::vector<TraceRow> rows; trace.next(rows);) {
    if (first_ == no_step) first_ = rows.front().step;
    if (last_ != no_step && rows.front().step <= last_) reject_row(run, rows.front(), "comes after a later step");
    last_ = rows.front().step;
    if (window.to != no_step && last_ >= window.to) continue;
    if (last_ >= window.from) count += static_cast<std::int64_t>(rows.size());
    for (const TraceRow& row : rows) {
      check_row(run, row);
      if (row.packet != no_packet && !known_[static_cast<std::size_t>(row.packet)]) {
        known_[static_cast<std::size_t>(row.packet)] = true;
        const bool from_memory = row.event == TraceEvent::inject || row.event == TraceEvent::eject;
        if (!from_memory || row.node != run.packets.packets[static_cast<std::size_t>(row.packet)].source)
          is_window_ = true;
      }
      if (count <= most) this->row(row, window);
    }
  }
  if (first_ == no_step) first_ = last_ = 0;
  if (count > most)
    refuse_rows(file, count, std::max(first_, window.from), window.to == no_step ? last_ : window.to - 1);
  require_window(window, first_, last_);
  for (const auto& [flit, row] : before_) rows_.push_back(row);
  before_.clear();
  std::stable_sort(rows_.begin(), rows_.end(), [](const TraceRow& a, const TraceRow& b) {
    if (a.packet == no_packet && b.packet == no_packet)
      return std::tie(a.node, a.port, a.step) < std::tie(b.node, b.port, b.step);
    return std::tie(a.packet, a.flit, a.step) < std::tie(b.packet, b.flit, b.step);
  });
  look_for_gaps(run);
}

void FlitLog::row(const TraceRow& row, const TraceWindow& window) {
  if (is_repetition(row.event)) return;
  if (row.event == TraceEvent::drop) {
    before_.erase(flit_key(row));
  } else if (row.step >= window.from) {
    rows_.push_back(row);
  } else if (row.packet != no_packet) {
    if (row.event == TraceEvent::eject) before_.erase(flit_key(row));
    else before_[flit_key(row)] = row;
  }
}

/// A complete trace has a row for every delivery.
void FlitLog::look_for_gaps(const RunFiles& run) {
  for (std::size_t p = 0; p < run.packets.packets.size(); ++p) {
    const Packet& packet = run.packets.packets[p];
    const Step delivered = run.packets.delivered[p];
    if (delivered == no_step || packet.source == packet.destination) continue;
    if (delivered > last_ || delivered < first_) is_window_ = true;
  }
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/pops/show.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/trace_io/pops/slots_csv.hpp>
#include <starloom/trace_io/pops/trace_reader.hpp>
#include <starloom/verify/pops/facts.hpp>

namespace starloom::pops {
namespace {

/// A coupler in the slot.
struct Coupler {
  std::vector<TraceRow> drives;
  std::vector<NodeId> samplers;
  bool dead = false;
  bool carries() const { return drives.size() == 1 && !dead; }
};

std::string message_text(const TraceRow& drive) {
  return fmt::format(drive.kind == MessageKind::ack ? "the acknowledgement of packet {}" : "packet {}", drive.packet);
}

class Slot {
 public:
  Slot(const Pops& pops, const std::optional<DeadCouplers>& dead, const std::vector<TraceRow>& rows) : pops_(pops) {
    for (const TraceRow& row : rows) {
      if (row.processor < 0 || row.processor >= pops.nodes() || !is_group(row.source_group) ||
          !is_group(row.destination_group))
        throw InputError(
            fmt::format("trace.csv: slot {} names a processor or group that the network does not have", row.slot));
      Coupler& coupler = couplers_[{row.source_group, row.destination_group}];
      coupler.dead = dead && dead->contains(row.destination_group, row.source_group);
      if (row.event == TraceEvent::drive) coupler.drives.push_back(row);
      else coupler.samplers.push_back(row.processor);
    }
  }

  std::string head() const {
    std::int64_t carrying = 0, collisions = 0, hear = 0, samplers = 0;
    for (const auto& [groups, coupler] : couplers_) {
      carrying += coupler.carries() ? 1 : 0;
      collisions += coupler.drives.size() > 1 ? 1 : 0;
      hear += coupler.carries() ? static_cast<std::int64_t>(coupler.samplers.size()) : 0;
      samplers += static_cast<std::int64_t>(coupler.samplers.size());
    }
    return fmt::format("{} {} a message, {} {} a collision; {} of {} {}", counted(carrying, "coupler"),
                       carrying == 1 ? "carries" : "carry", collisions, collisions == 1 ? "has" : "have", hear,
                       counted(samplers, "sampling processor"), hear == 1 ? "receives" : "receive");
  }

  /// Cells: the packet carried, with `a` for an acknowledgement, `*` for a collision, `x` for a dead coupler.
  std::string matrix() const {
    std::size_t width = 2;
    for (const auto& [groups, coupler] : couplers_) width = std::max(width, cell(&coupler).size());
    std::string text = fmt::format("  {:9}", "from / to");
    for (std::int32_t to = 0; to < pops_.groups(); ++to) text += fmt::format(" {:>{}}", to, width + 1);
    for (std::int32_t from = 0; from < pops_.groups(); ++from) {
      text += fmt::format("\n  {:>9}", from);
      for (std::int32_t to = 0; to < pops_.groups(); ++to) {
        const auto found = couplers_.find({from, to});
        text += fmt::format(" {:>{}}", cell(found == couplers_.end() ? nullptr : &found->second), width + 1);
      }
    }
    return text + "\n";
  }

  std::string list() const {
    std::string text;
    for (const auto& [groups, coupler] : couplers_) {
      if (coupler.drives.empty()) continue;
      std::vector<std::string> drivers, samplers;
      for (const TraceRow& drive : coupler.drives)
        drivers.push_back(fmt::format("{} drives {}", pops_.node_name(drive.processor), message_text(drive)));
      for (const NodeId node : coupler.samplers) samplers.push_back(pops_.node_name(node));
      const char* const what = coupler.dead ? "dead: " : coupler.carries() ? "" : "collision: ";
      text += fmt::format(
          "  {}: {}{}; {}\n", pops_.coupler_name(groups.second, groups.first), what, fmt::join(drivers, ", "),
          samplers.empty() ? "not sampled"
                           : fmt::format("{} by {}", coupler.carries() ? "heard" : "sampled without a message",
                                         fmt::join(samplers, ", ")));
    }
    return text.empty() ? "" : "\ncouplers:\n" + text;
  }

 private:
  bool is_group(std::int32_t group) const { return group >= 0 && group < pops_.groups(); }
  static std::string cell(const Coupler* coupler) {
    if (coupler == nullptr || coupler->drives.empty()) return ".";
    if (!coupler->carries()) return coupler->dead ? "x" : "*";
    const TraceRow& drive = coupler->drives.front();
    return fmt::format("{}{}", drive.kind == MessageKind::ack ? "a" : "", drive.packet);
  }

  const Pops pops_;
  std::map<std::pair<std::int32_t, std::int32_t>, Coupler> couplers_;  ///< those driven or sampled, by [from, to]
};

/// \throws InputError if the run does not have the slot, or if it had drives that are not in the trace.
void require_rows(Step slot, const std::vector<TraceRow>& rows, const std::vector<SlotCounts>& slots) {
  const bool was_there = slot < static_cast<Step>(slots.size());
  if (!was_there)
    throw InputError(fmt::format("--step {}: the run has {}, numbered from 0", slot,
                                 counted(static_cast<std::int64_t>(slots.size()), "slot")));
  if (rows.empty() && slots[static_cast<std::size_t>(slot)].drives > 0)
    throw InputError(
        fmt::format("--step {}: the trace is a window without this slot; run with --trace, without FROM:TO", slot));
}

}  // namespace

std::string slot_text(const std::filesystem::path& folder, Step slot) {
  const ResultDocument result(folder / "result.json");
  const Pops pops = read_pops(result);
  TraceReader trace(find_trace(folder));
  trace.skip_to(slot);
  std::vector<TraceRow> rows;
  while (trace.next(rows) && rows.front().slot < slot) continue;
  if (!rows.empty() && rows.front().slot != slot) rows.clear();
  if (is_there(folder / "slots.csv")) require_rows(slot, rows, read_slots(folder / "slots.csv"));
  const Slot seen(pops, read_dead_couplers(result, pops), rows);
  std::string text = fmt::format("slot {} of POPS({},{}): {}\n", slot, pops.group_size(), pops.groups(), seen.head());
  if (is_there(folder / "packets.csv")) {
    const PacketTable table = read_packets(folder / "packets.csv");
    const auto there = std::count_if(table.delivered.begin(), table.delivered.end(),
                                     [&](Step at) { return at != no_step && at - 1 <= slot; });
    text += fmt::format("{} of {} packets have reached their destinations\n", there, table.packets.size());
  }
  return text + "\n" + seen.matrix() + seen.list();
}

}  // namespace starloom::pops

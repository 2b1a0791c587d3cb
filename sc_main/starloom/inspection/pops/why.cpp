// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/pops/why.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <starloom/inspection/packet_numbers.hpp>
#include <starloom/support/error.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/trace_io/pops/trace_reader.hpp>
#include <starloom/verify/pops/facts.hpp>

namespace starloom::pops {
namespace {

/// A coupler is driven with a packet.
struct Drive {
  Step slot = 0;
  NodeId processor = no_node;
  std::int64_t coupler = 0;
  PacketId packet = no_packet;
  std::vector<PacketId> others{};  ///< driven on the same coupler: a collision
};

/// A processor hears a packet from a coupler.
struct Hearing {
  Step slot = 0;
  NodeId processor = no_node;
  std::int64_t coupler = 0;
};

/// The data rows of a trace.
struct DataRows {
  std::vector<Drive> drives{};                        ///< by slot
  std::vector<std::vector<std::size_t>> drives_of{};  ///< [packet] indices in `drives`
  std::vector<std::vector<Hearing>> hearings_of{};    ///< [packet] by slot
  Step end = 0;                                       ///< the slot after the last row
};

struct PopsRun {
  Pops pops;
  PacketTable packets;
  Rules rules;
  std::filesystem::path trace;
};

PopsRun read_run(const std::filesystem::path& folder, const DeclaredRules& rules) {
  const ResultDocument result(folder / "result.json");
  const Pops pops = read_pops(result);
  const std::filesystem::path trace = find_trace(folder);
  result.text("experiment.routing.algorithm");
  PopsRun run{pops, read_packets(folder / "packets.csv"), rules(pops, result.at("experiment.routing"), result.name()),
              trace};
  check_times(folder, run.packets);
  for (const Packet& packet : run.packets.packets)
    if (packet.source < 0 || packet.source >= pops.nodes() || packet.destination >= pops.nodes())
      throw InputError((folder / "packets.csv").string() + ": a packet has no source or destination in the network");
  return run;
}

/// One slot: the drives of its rows.
void read_slot(const PopsRun& run, const std::vector<TraceRow>& rows, DataRows& data) {
  std::map<std::int64_t, std::vector<std::size_t>> by_coupler;
  for (const TraceRow& row : rows) {
    const auto is_group = [&](std::int32_t group) { return group >= 0 && group < run.pops.groups(); };
    const bool silent = row.event == TraceEvent::listen && row.silent();
    const bool known = silent || (row.packet >= 0 && static_cast<std::size_t>(row.packet) < run.packets.packets.size());
    if (row.processor < 0 || row.processor >= run.pops.nodes() || !is_group(row.source_group) ||
        !is_group(row.destination_group) || !known)
      throw InputError(fmt::format("{}: slot {}: a row names a processor, group or packet that does not exist",
                                   run.trace.string(), row.slot));
    if (silent || row.kind == MessageKind::ack) continue;
    const auto packet = static_cast<std::size_t>(row.packet);
    const std::int64_t coupler = run.pops.coupler(row.destination_group, row.source_group);
    if (row.event == TraceEvent::listen) {
      data.hearings_of[packet].push_back({row.slot, row.processor, coupler});
      continue;
    }
    data.drives_of[packet].push_back(data.drives.size());
    by_coupler[coupler].push_back(data.drives.size());
    data.drives.push_back({row.slot, row.processor, coupler, row.packet});
  }
  for (const auto& [coupler, drives] : by_coupler)
    for (const std::size_t one : drives)
      for (const std::size_t other : drives)
        if (one != other) data.drives[one].others.push_back(data.drives[other].packet);
}

DataRows read_data(const PopsRun& run) {
  DataRows data;
  data.drives_of.resize(run.packets.packets.size());
  data.hearings_of.resize(run.packets.packets.size());
  TraceReader trace(run.trace);
  for (std::vector<TraceRow> rows; trace.next(rows);) {
    data.end = rows.front().slot + 1;
    read_slot(run, rows, data);
  }
  return data;
}

std::string coupler_name(const Pops& pops, std::int64_t coupler) {
  return pops.coupler_name(static_cast<std::int32_t>(coupler % pops.groups()),
                           static_cast<std::int32_t>(coupler / pops.groups()));
}

class WaitExplainer {
 public:
  WaitExplainer(const PopsRun& run, const DataRows& data) : run_(run), data_(data) {}

  PacketHistory explain(PacketId packet) const {
    const auto at = static_cast<std::size_t>(packet);
    const Packet& facts = run_.packets.packets[at];
    PacketHistory history;
    history.packet = packet;
    history.source = run_.pops.node_name(facts.source);
    history.destination = facts.destination == no_node ? "all" : run_.pops.node_name(facts.destination);
    history.created = facts.created;
    history.delivered = run_.packets.delivered[at];
    if (history.delivered > data_.end && history.delivered != run_.rules.slots) incomplete(packet);
    const Step end = history.delivered == no_step ? std::max(data_.end, facts.created) : history.delivered;
    const std::vector<Carry> carries = history.delivered == no_step ? std::vector<Carry>{} : carries_of(packet);
    history.distance = static_cast<std::int64_t>(carries.size());
    const std::map<Step, Wait> lost = lost_drives(packet, carries);
    NodeId holder = facts.source;
    auto carry = carries.begin();
    for (Step slot = facts.created; slot < end; ++slot) {
      if (carry != carries.end() && carry->drive.slot == slot) {
        history.path.push_back({slot, coupler_name(run_.pops, carry->drive.coupler)});
        holder = carry++->heard_by;
        continue;
      }
      const auto found = lost.find(slot);
      const WaitCause idle = holder == facts.source ? WaitCause::no_turn : WaitCause::buffer;
      add(history, found != lost.end() ? found->second : Wait{holder, slot, slot + 1, "", idle, {}, {}});
    }
    return history;
  }

 private:
  /// A drive that carried the packet forward, and its new holder.
  struct Carry {
    Drive drive;
    NodeId heard_by = no_node;
  };

  static void add(PacketHistory& history, const Wait& wait) {
    if (!history.waits.empty()) {
      Wait& last = history.waits.back();
      const bool same = last.to == wait.from && last.cause == wait.cause && last.node == wait.node;
      if (same && last.what == wait.what && last.behind == wait.behind) {
        last.to = wait.to;
        return;
      }
    }
    history.waits.push_back(wait);
  }

  [[noreturn]] void incomplete(PacketId packet) const {
    throw InputError(
        fmt::format("{}: packet {} is delivered according to packets.csv, but the trace does not show it; the trace is "
                    "damaged or incomplete (the whole run is needed: run with --trace, without FROM:TO)",
                    run_.trace.string(), packet));
  }

  std::vector<Carry> carries_of(PacketId packet) const {
    const Packet& facts = run_.packets.packets[static_cast<std::size_t>(packet)];
    const Step delivered = run_.packets.delivered[static_cast<std::size_t>(packet)];
    if (run_.rules.arrival == Rules::Arrival::summed) return forward(packet, delivered);
    std::vector<Carry> carries;
    NodeId node = facts.destination;
    Step before = delivered;
    if (node == no_node) node = last_listener(packet, delivered);
    while (node != facts.source || (carries.empty() && must_hear(facts))) {
      const Hearing* const heard = last_hearing(packet, node, before);
      const Drive* const drive = heard == nullptr ? nullptr : driver(packet, *heard);
      if (drive == nullptr) incomplete(packet);
      carries.push_back({*drive, node});
      node = drive->processor;
      before = drive->slot;
    }
    std::reverse(carries.begin(), carries.end());
    return carries;
  }

  /// True unless the packet is for its own processor and hearing it is sufficient.
  bool must_hear(const Packet& facts) const {
    return run_.rules.arrival == Rules::Arrival::heard && facts.source == facts.destination;
  }

  NodeId last_listener(PacketId packet, Step delivered) const {
    for (const Hearing& heard : data_.hearings_of[static_cast<std::size_t>(packet)])
      if (heard.slot + 1 == delivered) return heard.processor;
    incomplete(packet);
  }

  const Hearing* last_hearing(PacketId packet, NodeId node, Step before) const {
    const auto& list = data_.hearings_of[static_cast<std::size_t>(packet)];
    const auto found = std::find_if(list.rbegin(), list.rend(), [&](const Hearing& heard) {
      return heard.processor == node && heard.slot < before;
    });
    return found == list.rend() ? nullptr : &*found;
  }

  const Drive* driver(PacketId packet, const Hearing& heard) const {
    for (const std::size_t at : data_.drives_of[static_cast<std::size_t>(packet)])
      if (data_.drives[at].slot == heard.slot && data_.drives[at].coupler == heard.coupler) return &data_.drives[at];
    return nullptr;
  }

  /// A value continues as part of the sum of the processor that heard it.
  std::vector<Carry> forward(PacketId packet, Step delivered) const {
    std::vector<Carry> carries;
    PacketId sum = packet;
    Step from = 0;
    for (const NodeId destination = run_.packets.packets[static_cast<std::size_t>(packet)].destination;
         sum != destination;) {
      const auto& drives = data_.drives_of[static_cast<std::size_t>(sum)];
      const auto next = std::find_if(drives.begin(), drives.end(), [&](std::size_t at) {
        return data_.drives[at].slot >= from && data_.drives[at].slot < delivered;
      });
      if (next == drives.end()) incomplete(packet);
      const Drive& drive = data_.drives[*next];
      const auto& hearings = data_.hearings_of[static_cast<std::size_t>(sum)];
      const auto heard = std::find_if(hearings.begin(), hearings.end(), [&](const Hearing& one) {
        return one.slot == drive.slot && one.coupler == drive.coupler;
      });
      if (heard == hearings.end()) incomplete(packet);
      carries.push_back({drive, heard->processor});
      sum = heard->processor;  // packet p is the value of processor p
      from = drive.slot + 1;
    }
    return carries;
  }

  /// Slots in which the packet was driven and not carried forward.
  std::map<Step, Wait> lost_drives(PacketId packet, const std::vector<Carry>& carries) const {
    std::map<Step, Wait> lost;
    for (const std::size_t at : data_.drives_of[static_cast<std::size_t>(packet)]) {
      const Drive& drive = data_.drives[at];
      const bool carried = std::any_of(carries.begin(), carries.end(),
                                       [&](const Carry& carry) { return carry.drive.slot == drive.slot; });
      if (carried) continue;
      const bool collides = !drive.others.empty();
      const Wait wait{drive.processor,
                      drive.slot,
                      drive.slot + 1,
                      coupler_name(run_.pops, drive.coupler),
                      collides ? WaitCause::collision : WaitCause::not_heard,
                      drive.others,
                      {}};
      const auto [there, fresh] = lost.emplace(drive.slot, wait);
      if (!fresh && collides && there->second.cause != WaitCause::collision) there->second = wait;
    }
    return lost;
  }

  const PopsRun& run_;
  const DataRows& data_;
};

}  // namespace

std::vector<PacketHistory> packet_histories(const std::filesystem::path& folder, const DeclaredRules& rules,
                                            const std::vector<PacketId>& packets) {
  const PopsRun run = read_run(folder, rules);
  check_packets(folder, packets, run.packets);
  const DataRows data = read_data(run);
  const WaitExplainer explainer(run, data);
  std::vector<PacketHistory> histories;
  for (const PacketId packet : packets) histories.push_back(explainer.explain(packet));
  return histories;
}

WaitingOverview waiting_overview(const std::filesystem::path& folder, const DeclaredRules& rules) {
  const PopsRun run = read_run(folder, rules);
  const DataRows data = read_data(run);
  const WaitExplainer explainer(run, data);
  WaitingOverview overview;
  std::vector<Step> created;
  for (const Packet& packet : run.packets.packets) created.push_back(packet.created);
  for (const PacketId packet : slowest(created, run.packets.delivered, data.end))
    overview.latest.push_back(explainer.explain(packet));
  std::map<std::int64_t, Step> couplers;
  std::map<NodeId, Step> nodes;
  for (const Drive& drive : data.drives)
    if (!drive.others.empty()) ++couplers[drive.coupler];
  for (std::size_t p = 0; p < created.size(); ++p)
    for (const Wait& wait : explainer.explain(static_cast<PacketId>(p)).waits) nodes[wait.node] += wait.to - wait.from;
  std::vector<WaitLocation> links, locations;
  for (const auto& [coupler, waited] : couplers) links.push_back({coupler_name(run.pops, coupler), waited});
  for (const auto& [node, waited] : nodes) locations.push_back({run.pops.node_name(node), waited});
  overview.links = most_expensive(std::move(links));
  overview.nodes = most_expensive(std::move(locations));
  return overview;
}

}  // namespace starloom::pops

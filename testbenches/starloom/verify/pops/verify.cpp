// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/pops/verify.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include <starloom/referee/pops/referee.hpp>
#include <starloom/support/error.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/trace_io/pops/slots_csv.hpp>
#include <starloom/trace_io/pops/trace_reader.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/latency_metrics.hpp>
#include <starloom/verify/pops/facts.hpp>
#include <starloom/verify/pops/optical_metrics.hpp>

namespace starloom::pops {
namespace {

/// The use of couplers by the rows.
class UseTally {
 public:
  explicit UseTally(const Pops& pops) : pops_(pops), load_(static_cast<std::size_t>(pops.couplers()), 0) {}

  /// The rows of a slot for messages of this kind.
  void rows(const std::vector<TraceRow>& rows, MessageKind kind) {
    CouplerUse& use = kind == MessageKind::ack ? acks : data;
    for (const TraceRow& row : rows) {
      if (row.event == TraceEvent::listen) {
        ++use.listens;
        if (!row.silent()) ++use.heard;
        continue;
      }
      ++use.drives;
      if (kind == MessageKind::ack) continue;
      auto& load = load_[static_cast<std::size_t>(pops_.coupler(row.destination_group, row.source_group))];
      max_load = std::max(max_load, ++load);
    }
  }

  CouplerUse data, acks;
  std::int64_t max_load = 0;

 private:
  const Pops pops_;
  std::vector<std::int64_t> load_;  ///< [Pops::coupler]
};

void compare(Comparison& comparison, const ResultDocument& result, const PacketTable& table,
             const std::vector<SlotCounts>& slots, const UseTally& tally) {
  std::int64_t collisions = 0;
  Step steps = 0;
  std::vector<Step> latencies;
  for (std::size_t i = 0; i < table.packets.size(); ++i) {
    if (table.delivered[i] == no_step) continue;
    steps = std::max(steps, table.delivered[i]);
    latencies.push_back(table.delivered[i] - table.packets[i].created);
  }
  for (const SlotCounts& slot : slots) collisions += slot.collisions;
  const auto total = static_cast<std::int64_t>(table.packets.size());
  const auto delivered = static_cast<std::int64_t>(latencies.size());
  const Outcome outcome = result.outcome();
  comparison.require(outcome != Outcome::violation, "the outcome of the run is violation");
  comparison.require(
      outcome != Outcome::saturated && outcome != Outcome::deadlock,
      "in result.json the outcome is " + result.text("outcome") + ", which runs on couplers do not have");
  comparison.expect("packets.total", total);
  comparison.expect("packets.delivered", delivered);
  comparison.expect("packets.undelivered", total - delivered);
  comparison.require(outcome != Outcome::completed || delivered == total,
                     "in result.json the run is completed, but packets are not delivered");
  comparison.expect("steps", steps);
  compare_latencies(comparison, "latency", std::move(latencies), delivered < total, std::nullopt);
  for (const char* const metric :
       {"distance", "hops", "queue", "throughput", "saturated", "saturation", "network_latency", "deadlock", "storage"})
    comparison.expect_null(metric);
  comparison.expect("links.flit_hops", tally.data.drives);
  comparison.expect("links.control_hops", tally.acks.drives);
  comparison.expect("links.max_load", tally.max_load);
  if (result.given("schedule")) comparison.expect("schedule.steps", static_cast<std::int64_t>(slots.size()));
  if (result.given("algorithm.collisions")) comparison.expect("algorithm.collisions", collisions);
}

}  // namespace

VerifyReport verify_folder(const std::filesystem::path& folder, const ResultDocument& result,
                           const DeclaredRules& rules) {
  const Pops pops = read_pops(result);
  const std::optional<DeadCouplers> dead = read_dead_couplers(result, pops);
  const PacketTable table = read_packets(folder / "packets.csv");
  const std::vector<SlotCounts> slots = read_slots(folder / "slots.csv");
  TraceReader trace(find_trace(folder));

  result.text("experiment.routing.algorithm");  // the section exists, with a name
  const Rules declared = rules(pops, result.at("experiment.routing"), result.name());
  Referee referee(pops, declared, table.packets, dead ? &*dead : nullptr);
  UseTally tally(pops);
  VerifyReport report;
  report.outcome = result.text("outcome");
  for (std::vector<TraceRow> rows; referee.ok() && trace.next(rows);) {
    referee.rows(rows);
    if (referee.ok()) tally.rows(rows, referee.kind_of(rows.front().slot));
  }
  referee.finish(table.delivered, slots, result.outcome() == Outcome::completed);

  report.rows = referee.rows_seen();
  report.packets = static_cast<std::int64_t>(table.packets.size());
  report.violation = referee.violation().text;
  if (!referee.ok()) return report;
  Comparison comparison(result);
  compare(comparison, result, table, slots, tally);
  if (result.given("optics")) {
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      ++(referee.kind_of(static_cast<Step>(slot)) == MessageKind::ack ? tally.acks : tally.data).slots;
    compare_optics(comparison, result, pops, tally.data, tally.acks, result.integer("packets.delivered"));
  }
  report.violation = comparison.text();
  return report;
}

}  // namespace starloom::pops

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
#include <starloom/verify/pops/facts.hpp>

namespace starloom::pops {
namespace {

/// Counts of drives, as `links` gives them.
class DriveTally {
 public:
  explicit DriveTally(const Pops& pops) : pops_(pops), load_(static_cast<std::size_t>(pops.couplers()), 0) {}

  void rows(const std::vector<TraceRow>& rows) {
    for (const TraceRow& row : rows) {
      if (row.event != TraceEvent::drive) continue;
      if (row.kind == MessageKind::ack) {
        ++control_hops;
        continue;
      }
      ++flit_hops;
      auto& load = load_[static_cast<std::size_t>(pops_.coupler(row.destination_group, row.source_group))];
      max_load = std::max(max_load, ++load);
    }
  }

  std::int64_t flit_hops = 0;
  std::int64_t control_hops = 0;
  std::int64_t max_load = 0;

 private:
  const Pops pops_;
  std::vector<std::int64_t> load_;  ///< [Pops::coupler]
};

void compare(Comparison& comparison, const ResultDocument& result, const PacketTable& table,
             const std::vector<SlotCounts>& slots, const DriveTally& tally) {
  std::int64_t delivered = 0, collisions = 0;
  Step steps = 0;
  for (const Step at : table.delivered) {
    delivered += at != no_step ? 1 : 0;
    steps = std::max(steps, at);
  }
  for (const SlotCounts& slot : slots) collisions += slot.collisions;
  const auto total = static_cast<std::int64_t>(table.packets.size());
  const std::string outcome = result.text("outcome");
  comparison.require(outcome != "violation", "the run itself ended with the outcome violation");
  comparison.expect("packets.total", result.integer("packets.total"), total);
  comparison.expect("packets.delivered", result.integer("packets.delivered"), delivered);
  comparison.expect("packets.undelivered", result.integer("packets.undelivered"), total - delivered);
  comparison.require(outcome != "completed" || delivered == total,
                     "result.json says that the run is completed, but packets are not delivered");
  comparison.expect("steps", result.integer("steps"), steps);
  const auto latency = result.given("latency.max") ? std::optional(result.integer("latency.max")) : std::nullopt;
  comparison.expect("latency.max", latency, delivered > 0 ? std::optional(steps) : std::nullopt);
  comparison.expect("links.flit_hops", result.integer("links.flit_hops"), tally.flit_hops);
  comparison.expect("links.control_hops", result.integer("links.control_hops"), tally.control_hops);
  comparison.expect("links.max_load", result.integer("links.max_load"), tally.max_load);
  if (result.given("schedule"))
    comparison.expect("schedule.steps", result.integer("schedule.steps"), static_cast<std::int64_t>(slots.size()));
  if (result.given("algorithm.collisions"))
    comparison.expect("algorithm.collisions", result.integer("algorithm.collisions"), collisions);
}

}  // namespace

VerifyReport verify_folder(const std::filesystem::path& folder, const ResultDocument& result,
                           const DeclaredRules& rules) {
  const Pops pops = read_pops(result);
  const std::optional<DeadCouplers> dead = read_dead_couplers(result, pops);
  const PacketTable table = read_packets(folder / "packets.csv");
  const std::vector<SlotCounts> slots = read_slots(folder / "slots.csv");
  TraceReader trace(find_trace(folder));

  result.text("experiment.routing.algorithm");  // so the section is one, with a name
  Referee referee(pops, rules(pops, result.at("experiment.routing"), result.name()), table.packets,
                  dead ? &*dead : nullptr);
  DriveTally tally(pops);
  VerifyReport report;
  report.outcome = result.text("outcome");
  for (std::vector<TraceRow> rows; referee.ok() && trace.next(rows);) {
    referee.rows(rows);
    if (referee.ok()) tally.rows(rows);
  }
  referee.finish(table.delivered, slots, result.text("outcome") == "completed");

  report.rows = referee.rows_seen();
  report.packets = static_cast<std::int64_t>(table.packets.size());
  report.violation = referee.violation().text;
  if (!referee.ok()) return report;
  Comparison comparison;
  compare(comparison, result, table, slots, tally);
  report.violation = comparison.text();
  return report;
}

}  // namespace starloom::pops

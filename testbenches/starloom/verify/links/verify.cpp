// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/verify.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/credits_csv.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/queue_tally.hpp>
#include <starloom/verify/links/run_audit.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/links/run_network.hpp>

namespace starloom::links {
namespace {

namespace fs = std::filesystem;

Referee make_referee(const fs::path& result, const NetworkGraph& graph, const RunFacts& facts) try {
  return Referee(graph, facts.rules);
} catch (const std::invalid_argument& fault) {
  throw InputError(result.string() + ": " + fault.what());
}

/// Counts of hops, as `links` gives them.
class LinkTally {
 public:
  explicit LinkTally(const NetworkGraph& graph)
      : ports_(static_cast<std::size_t>(graph.ports())), load_(graph.link_places(), 0) {}

  void rows(const std::vector<TraceRow>& rows) {
    for (const TraceRow& row : rows) {
      if (row.event == TraceEvent::key || row.event == TraceEvent::token) ++control_hops;
      if (row.event != TraceEvent::hop) continue;
      ++flit_hops;
      auto& load = load_[static_cast<std::size_t>(row.node) * ports_ + static_cast<std::size_t>(row.port)];
      max_load = std::max(max_load, ++load);
    }
  }

  std::int64_t flit_hops = 0;
  std::int64_t control_hops = 0;
  std::int64_t max_load = 0;

 private:
  std::size_t ports_;
  std::vector<std::int64_t> load_;  ///< [node * ports + out-port]
};

/// Those of all steps up to `last`.
void tell_credits(CreditsReader& credits, Referee& referee, Step last) {
  for (std::vector<CreditRow> rows; credits.next_step() != no_step && credits.next_step() <= last;) {
    credits.next(rows);
    referee.rows(rows);
  }
}

void compare_latencies(Comparison& comparison, const RunFacts& facts, std::vector<Step> latencies) {
  std::sort(latencies.begin(), latencies.end());
  const auto count = latencies.size();
  comparison.expect("latency.max", facts.latency_max, count > 0 ? std::optional(latencies.back()) : std::nullopt);
  for (const Percentile& percentile : facts.percentiles) {
    // The smallest latency that so many per cent of the packets do not exceed.
    std::optional<Step> found;
    for (std::size_t i = 0; i < count && !found; ++i)
      if (100 * (i + 1) >= percentile.percent * count) found = latencies[i];
    comparison.expect(percentile.name, percentile.value, found);
  }
  __extension__ using Wide = __int128;
  const Wide sum = std::accumulate(latencies.begin(), latencies.end(), Wide{0});
  comparison.require(!facts.latency_mean ||
                         (count > 0 && *facts.latency_mean == static_cast<double>(sum) / static_cast<double>(count)),
                     "result.json says another latency.mean than the packets");
}

void compare_packets(Comparison& comparison, const RunFacts& facts, const PacketTable& table) {
  std::int64_t total = 0, delivered = 0;
  Step steps = 0;
  std::vector<Step> latencies;
  for (std::size_t i = 0; i < table.packets.size(); ++i) {
    const bool arrived = table.delivered[i] != no_step;
    if (arrived) steps = std::max(steps, table.delivered[i]);
    const Step created = table.packets[i].created;
    if (created < facts.measured_from || (facts.measured_to != no_step && created >= facts.measured_to)) continue;
    ++total;
    if (!arrived) continue;
    ++delivered;
    latencies.push_back(table.delivered[i] - created);
  }
  comparison.expect("packets.total", facts.packets_total, total);
  comparison.expect("packets.delivered", facts.packets_delivered, delivered);
  comparison.expect("packets.undelivered", facts.packets_undelivered, total - delivered);
  comparison.require(facts.outcome != "completed" || delivered == total || facts.may_leave_packets,
                     "result.json says that the run is completed, but packets are not delivered");
  comparison.expect("steps", facts.steps, steps);
  compare_latencies(comparison, facts, std::move(latencies));
  comparison.require(facts.latency_partial.value_or(delivered < total) == (delivered < total),
                     "latency.partial does not say whether packets that count are missing");
  const bool saturated = facts.outcome == "saturated";
  comparison.require(facts.saturated.value_or(saturated) == saturated, "saturated does not say what outcome says");
}

/// When the first flits of packets leave their processors.
void note_injections(const std::vector<TraceRow>& rows, std::vector<Step>& injected) {
  for (const TraceRow& row : rows)
    if (row.event == TraceEvent::inject && row.flit == 0) injected[static_cast<std::size_t>(row.packet)] = row.step;
}

void compare_injections(Comparison& comparison, const std::vector<Step>& said, const std::vector<Step>& found) {
  const auto other = std::mismatch(said.begin(), said.end(), found.begin()).first;
  if (other == said.end()) return;
  const auto packet = other - said.begin();
  const auto text = [](Step step) {
    return step == no_step ? "was never injected" : "was injected in step " + std::to_string(step);
  };
  comparison.require(false, "packets.csv says that packet " + std::to_string(packet) + " " + text(*other) +
                                ", but by the rows it " + text(found[static_cast<std::size_t>(packet)]));
}

/// `counts`: any of them may be what is reported.
void compare_queue(Comparison& comparison, const std::optional<QueueMaximum>& reported,
                   const std::vector<QueueMaximum>& counts) {
  const auto same = [&reported](const QueueMaximum& found) {
    return reported && reported->max == found.max && reported->node == found.node && reported->step == found.step;
  };
  if (counts.empty() || std::any_of(counts.begin(), counts.end(), same)) return;
  const QueueMaximum& found = counts.front();
  const auto or_null = [](std::int64_t value) { return value < 0 ? std::nullopt : std::optional(value); };
  const auto figure = [&](std::int64_t value) { return reported ? or_null(value) : std::nullopt; };
  const QueueMaximum said = reported.value_or(QueueMaximum{});
  comparison.expect("queue.max", figure(said.max), found.max);
  comparison.expect("queue.node", figure(said.node), or_null(found.node));
  comparison.expect("queue.step", figure(said.step), or_null(found.step));
}

/// Packets of a run that stopped early may have had steps to go that are in no row.
bool queue_is_comparable(const NetworkGraph& graph, const RunFacts& facts, const PacketTable& table) {
  const auto by_creation = [](const Packet& a, const Packet& b) { return a.created < b.created; };
  return facts.rules.storage == RefereeRules::Storage::store_and_forward && facts.count_unsent.value_or(true) &&
         !facts.rules.routes_own && (facts.packets_undelivered == 0 || graph.greatest_latency() == 1) &&
         std::is_sorted(table.packets.begin(), table.packets.end(), by_creation);
}

}  // namespace

VerifyReport verify_folder(const fs::path& folder, const ResultDocument& document, const KnownEntries& known) {
  const LinkNetwork network = read_network(folder, document, known.topologies);
  const NetworkGraph& graph = network.graph;
  RunFacts facts = read_run_facts(document, graph, known);
  const PacketTable table = read_packets(folder / "packets.csv");
  TraceReader trace(find_trace(folder));
  std::optional<CreditsReader> credits;
  if (facts.rules.router) {
    facts.rules.router->credits = fs::exists(folder / "credits.csv");
    if (facts.rules.router->credits) credits.emplace(folder / "credits.csv");
  }

  Referee referee = make_referee(folder / "result.json", graph, facts);
  LinkTally links(graph);
  std::vector<QueueTally> queues;
  referee.packets(table.packets);
  if (referee.ok() && queue_is_comparable(graph, facts, table))
    for (const bool count_unsent : {true, false})
      if (facts.count_unsent.value_or(count_unsent) == count_unsent)
        queues.emplace_back(graph, table.packets, count_unsent);
  std::optional<RouterQueueTally> router_queue;
  if (facts.rules.router) router_queue.emplace(graph);
  std::vector<Step> injected(table.packets.size(), no_step);
  const std::unique_ptr<RunAudit> audit = run_audit_of(network, document, table.packets);
  VerifyReport report;
  report.outcome = document.text("outcome");
  if (facts.rules.router && !credits)
    report.unchecked = "credits were not checked: there is no credits.csv beside the trace";
  Step last = no_step;
  for (std::vector<TraceRow> rows; referee.ok() && trace.next(rows);) {
    if (credits) tell_credits(*credits, referee, rows.front().step);
    referee.rows(rows);
    if (!referee.ok()) break;
    links.rows(rows);
    for (QueueTally& queue : queues) queue.rows(rows);
    if (router_queue) router_queue->rows(rows);
    if (table.injected) note_injections(rows, injected);
    last = rows.front().step;
    if (audit) audit->rows(rows);
  }
  if (credits) tell_credits(*credits, referee, std::numeric_limits<Step>::max());
  referee.finish(table.delivered, facts.packets_undelivered == 0 && !facts.phases);

  report.rows = referee.rows_seen();
  report.packets = static_cast<std::int64_t>(table.packets.size());
  if (!referee.ok()) {
    report.violation = referee.violation().text;
    return report;
  }
  Comparison comparison;
  comparison.require(facts.outcome != "violation", "the run itself ended with the outcome violation");
  compare_packets(comparison, facts, table);
  if (table.injected) compare_injections(comparison, *table.injected, injected);
  comparison.expect("links.flit_hops", facts.flit_hops, links.flit_hops);
  comparison.expect("links.control_hops", facts.control_hops, links.control_hops);
  comparison.expect("links.max_load", facts.max_load, links.max_load);
  std::vector<QueueMaximum> counts;
  for (QueueTally& queue : queues)
    if (const auto found = queue.finish()) counts.push_back(*found);
  if (router_queue) {
    // Of a run that was stopped, the flits that had just left their buffers have no row.
    const bool ended = facts.outcome == "deadlock" || (facts.packets_undelivered == 0 && !facts.phases);
    const Step known = ended ? std::numeric_limits<Step>::max() : last - BufferStays::longest_delay;
    if (ended || (facts.queue && facts.queue->step <= known)) counts.push_back(router_queue->finish(known));
  }
  compare_queue(comparison, facts.queue, counts);
  if (audit) audit->compare(comparison);
  report.violation = comparison.text();
  return report;
}

}  // namespace starloom::links

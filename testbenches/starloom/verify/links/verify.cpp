// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/verify.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include <starloom/core/links/attempts.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/credits_csv.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/trace_io/links/transactions_csv.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/collectives.hpp>
#include <starloom/verify/links/energy.hpp>
#include <starloom/verify/links/flows.hpp>
#include <starloom/verify/links/messages.hpp>
#include <starloom/verify/links/metrics.hpp>
#include <starloom/verify/links/queue_metrics.hpp>
#include <starloom/verify/links/run_audit.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/links/run_faults.hpp>
#include <starloom/verify/links/run_network.hpp>

namespace starloom::links {
namespace {

namespace fs = std::filesystem;

Referee make_referee(const fs::path& result, const NetworkGraph& graph, const RunFacts& facts) try {
  return Referee(graph, facts.rules);
} catch (const std::invalid_argument& error) {
  throw InputError(result.string() + ": " + error.what());
}

/// The credits of all steps up to `last`.
void check_credits(CreditsReader& credits, Referee& referee, Step last) {
  for (std::vector<CreditRow> rows; credits.next_step() != no_step && credits.next_step() <= last;) {
    credits.next(rows);
    referee.rows(rows);
  }
}

void compare_transactions(Comparison& comparison, const std::vector<TransactionRow>& rows) {
  std::int64_t answered = 0, errors = 0;
  Step sum = 0, longest = 0;
  for (const TransactionRow& row : rows) {
    if (row.completed == no_step) continue;
    ++answered;
    errors += row.status == ok_status ? 0 : 1;
    sum += row.completed - row.issued;
    longest = std::max(longest, row.completed - row.issued);
  }
  comparison.expect("transactions.total", static_cast<std::int64_t>(rows.size()));
  comparison.expect("transactions.answered", answered);
  comparison.expect("transactions.errors", errors);
  if (answered == 0) {
    comparison.expect_null("transactions.mean");
    return comparison.expect_null("transactions.max");
  }
  comparison.expect_number("transactions.mean", static_cast<double>(sum) / static_cast<double>(answered));
  comparison.expect("transactions.max", longest);
}

/// The attempts of packets; empty if no packet is sent again.
std::optional<Attempts> attempts_of(const fs::path& file, const PacketTable& table, const RunFacts& facts) {
  const LinkErrors::Repetition* const repetition = repetition_of_packets(facts.rules.errors.get());
  if ((repetition != nullptr) != table.attempts.has_value())
    throw InputError(file.string() + (table.attempts ? ": has the column attempt_of, but recovery is not end-to-end"
                                                     : ": has no column attempt_of, but recovery is end-to-end"));
  if (repetition == nullptr) return std::nullopt;
  Attempts attempts(repetition->attempts);
  for (const auto& [attempt, first] : *table.attempts) attempts.add(attempt, first);
  return attempts;
}

/// True if every packet has arrived or is lost when the run ends.
/// \param packets of which all attempts together are one
bool none_left(const RunFacts& facts, const PacketTable& packets) {
  // Attempts of packets that have arrived may be under way when a run is cut off.
  const bool is_cut_off =
      packets.attempts && facts.outcome != Outcome::completed && facts.outcome != Outcome::incomplete;
  const auto lost = static_cast<std::int64_t>(packets.lost.value_or(Losses()).size());
  return facts.packets_undelivered == lost && !facts.phases && !is_cut_off;
}

}  // namespace

VerifyReport verify_folder(const fs::path& folder, const ResultDocument& document, const KnownEntries& known) {
  const LinkNetwork single = read_network(folder, document, known.topologies);
  RunFacts facts = read_run_facts(document, single, known);
  const LinkNetwork network = with_subnets(single, facts.subnets);
  const NetworkGraph& graph = network.graph;
  PacketTable table = read_packets(folder / "packets.csv", numbering_of(document));
  facts.rules.trees = paths_of(document, single, table.destinations.groups());
  require_classes_and_subnets(folder / "packets.csv", table.packets, facts);
  TraceReader trace(find_trace(folder), SubnetRows(graph), &table.packets);
  std::optional<CreditsReader> credits;
  note_longest(facts.rules, table.packets);
  if (facts.rules.router) {
    facts.rules.router->credits = is_there(folder / "credits.csv");
    if (facts.rules.router->credits) credits.emplace(folder / "credits.csv", SubnetRows(graph));
  }

  Referee referee = make_referee(folder / "result.json", graph, facts);
  const std::optional<Attempts> attempts = attempts_of(folder / "packets.csv", table, facts);
  RunMetrics metrics(document, graph, table, facts, attempts ? &*attempts : nullptr);
  QueueMetrics queue(graph, table, facts);
  std::optional<RunMessages> messages;
  if (document.given("workload") || is_there(folder / "messages.csv"))
    messages.emplace(folder, table, numbering_of(document), facts.rules.closed_loop.has_value()).announce_to(referee);
  std::optional<RunCollectives> collectives;
  if (messages && (document.given("workload.collectives") || is_there(folder / "collectives.csv")))
    collectives.emplace(folder, document, graph, *messages, table.packets.size());
  std::optional<RunFlows> flows;
  if (messages || document.given("application.placement") || is_there(folder / "flows.csv"))
    flows.emplace(folder, messages ? &*messages : nullptr, table, facts);
  std::optional<RunEnergy> energy;
  if (document.given("experiment.energy") || document.given("energy") || is_there(folder / "energy.csv"))
    energy.emplace(folder, document, graph, facts);
  if (attempts)
    for (const auto& [attempt, first] : attempts->firsts()) referee.attempt(attempt, first);
  referee.packets(table.packets);
  const std::unique_ptr<RunAudit> audit = run_audit_of(network, document, table.packets, known);
  VerifyReport report;
  report.outcome = document.text("outcome");
  if (facts.rules.router && !credits) report.unchecked = "credits were not checked: credits.csv is missing";
  for (std::vector<TraceRow> rows; referee.ok() && trace.next(rows);) {
    if (credits) check_credits(*credits, referee, rows.front().step);
    referee.rows(rows);
    if (!referee.ok()) break;
    metrics.rows(rows);
    queue.rows(rows);
    if (energy) energy->rows(rows);
    if (audit) audit->rows(rows);
    if (collectives) collectives->rows(rows);
  }
  if (credits) check_credits(*credits, referee, std::numeric_limits<Step>::max());
  const Losses lost = table.lost.value_or(Losses());
  referee.finish(table.delivered, none_left(facts, metrics.packets()), lost);

  report.rows = referee.rows_seen();
  report.packets =
      std::count_if(table.packets.begin(), table.packets.end(), [](const Packet& p) { return p.exists(); });
  if (!referee.ok()) {
    report.violation = referee.violation().text;
    return report;
  }
  Comparison comparison(document);
  comparison.require(facts.outcome != Outcome::violation, "the outcome of the run is violation");
  metrics.compare(comparison, referee.nacks());
  queue.compare(comparison);
  if (facts.rules.faults != nullptr)
    compare_faults(comparison, document, referee,
                   *faults_of_run(document, facts.rules.faults->graph(), facts.rules.channels), metrics.last_step(),
                   metrics.packets(), folder);
  if (energy) energy->compare(comparison, metrics, table);
  if (messages) messages->compare(comparison, facts);
  if (flows) flows->compare(comparison, document);
  if (collectives) collectives->compare(comparison);
  if (document.given("transactions") || is_there(folder / "transactions.csv"))
    compare_transactions(comparison, read_transactions(folder / "transactions.csv"));
  if (audit) compare_audit(comparison, audit->report());
  report.violation = comparison.text();
  return report;
}

}  // namespace starloom::links

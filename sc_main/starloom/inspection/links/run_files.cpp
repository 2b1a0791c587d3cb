// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/run_files.hpp>

#include <fmt/format.h>

#include <starloom/inspection/packet_numbers.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/links/run_network.hpp>
#include <starloom/verify/run_title.hpp>

namespace starloom::links {
namespace {

void read_timeline(RunFiles& run) {
  if (!run.timeline || !run.timeline->reads_rows()) return;
  TraceReader trace(find_trace(run.folder), SubnetRows(run.network.graph), &run.packets.packets);
  for (std::vector<TraceRow> rows; trace.next(rows);)
    for (const TraceRow& row : rows) {
      check_row(run, row);
      run.timeline->read(row);
    }
}

}  // namespace

RunFiles read_run_files(const std::filesystem::path& folder, const KnownEntries& known) {
  const ResultDocument result(folder / "result.json");
  find_trace(folder);
  RunFiles run{folder, read_network(folder, result, known.topologies)};
  RunFacts facts = read_run_facts(result, run.network, known);
  if (facts.rules.router) run.shape = {router::arbiter_order(run.network), facts.rules.channels};
  run.network = with_subnets(run.network, facts.subnets);
  run.packets = read_packets(folder / "packets.csv", numbering_of(result));
  check_times(folder, run.packets);
  if (result.given("workload")) run.messages.emplace(folder / "messages.csv", run.packets, numbering_of(result));
  run.has_operations = result.given("workload.collectives");
  require_classes_and_subnets(folder / "packets.csv", run.packets.packets, facts);
  facts.rules.trees = paths_of(result, run.network, run.packets.destinations.groups());
  run.rules = std::move(facts.rules);
  if (run.rules.router)
    run.timeline.emplace(run.network.graph, std::move(facts.pipelines), run.rules.router->credit_extra,
                         repeats_flits(run.rules.errors.get()));
  run.outcome = facts.outcome;
  run.measured_from = facts.measured_from;
  run.counts_unsent = facts.count_unsent.value_or(result.text("experiment.traffic.pattern") != "application");
  run.title = run_title(result, run.network.title);
  note_longest(run.rules, run.packets.packets);
  if (result.given("experiment.routing.discipline")) run.discipline = result.text("experiment.routing.discipline");
  if (run.rules.router) run.priorities = read_priorities(result, known.compare_priorities);
  run.holds_switch = result.given("experiment.routing.hold_switch") && result.boolean("experiment.routing.hold_switch");
  run.stalls = result.given("experiment.stalls.rate") && result.number("experiment.stalls.rate") > 0;
  run.deadlock = read_cycle(result, run.network.graph, static_cast<std::int64_t>(run.packets.packets.size()));
  const NodeId nodes = run.network.graph.nodes_of_subnet();
  for (Packet& packet : run.packets.packets) {
    if (!packet.exists()) continue;
    if (is_group(packet.destination) && packet.source < nodes) continue;
    if (packet.source < 0 || packet.source >= nodes || packet.destination < 0 || packet.destination >= nodes)
      throw InputError((folder / "packets.csv").string() + ": a packet has no source or destination in the network");
    packet = in_own_subnet(run.network.graph, packet);
  }
  for (const auto& [packet, loss] : run.packets.lost.value_or(Losses()))
    if (!is_lost_under_way(loss.cause))
      run.unsent.emplace(packet, run.packets.packets[static_cast<std::size_t>(packet)]);
  leave_out_lost_when_created(run.packets);
  if (run.rules.faults != nullptr) run.changes = read_routing_changes(folder);
  read_timeline(run);
  return run;
}

void reject_row(const RunFiles& run, const TraceRow& row, const std::string& text) {
  throw InputError(fmt::format("{}: step {}: {}", find_trace(run.folder).string(), row.step, text));
}

void check_row(const RunFiles& run, const TraceRow& row) {
  const NetworkGraph& graph = run.network.graph;
  const bool crosses = row.event == TraceEvent::hop || row.event == TraceEvent::resend ||
                       row.event == TraceEvent::key || row.event == TraceEvent::token;
  const bool of_packet = row.event != TraceEvent::key && row.event != TraceEvent::token;
  if (row.node < 0 || row.node >= graph.nodes()) reject_row(run, row, "a row names a node that does not exist");
  if (crosses &&
      (row.port < 0 || row.port >= graph.ports() || graph.far_end(row.node, row.port).node != row.to || row.to < 0))
    reject_row(run, row, "a row names a link that does not exist");
  const bool ends = row.event == TraceEvent::discard;
  if (ends && (row.port < 0 || row.port >= graph.ports() || !graph.near_end(row.node, row.port).connected()))
    reject_row(run, row, "a row names an in-port that has no link");
  if (of_packet && !run.packets.has(row.packet))
    reject_row(run, row, "a row names a packet that is not in packets.csv");
}

}  // namespace starloom::links

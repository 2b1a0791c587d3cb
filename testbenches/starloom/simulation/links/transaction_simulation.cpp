// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/transaction_simulation.hpp>

#include <algorithm>

#include <starloom/simulation/kernel.hpp>
#include <starloom/simulation/links/packet_sums.hpp>
#include <starloom/simulation/links/transaction_platform.hpp>
#include <starloom/sockets/network_paths.hpp>

namespace starloom::links {
namespace {

struct Carried {
  Packet packet;
  Step delivered;
};

/// Numbers and counts packets as hardware does. `end`: no step at or after it has taken place.
RunRecord record_of(std::vector<Carried> carried, const NetworkGraph& graph, const Algorithm& algorithm, Step end) {
  std::stable_sort(carried.begin(), carried.end(), [](const Carried& a, const Carried& b) {
    return a.packet.created != b.packet.created ? a.packet.created < b.packet.created
                                                : a.packet.source < b.packet.source;
  });
  const PathTable paths(graph, algorithm);
  RunRecord record;
  record.link_load.assign(graph.link_slots(), 0);
  for (const Carried& one : carried) {
    if (end != no_step && one.packet.created >= end) continue;
    record.packets.push_back(one.packet);
    const bool arrived = end == no_step || one.delivered < end;
    record.delivered.push_back(arrived ? one.delivered : no_step);
    record.hops.push_back(0);
    if (!arrived) continue;
    ++record.delivered_count;
    record.flits_delivered += one.packet.flits;
    record.steps_run = std::max(record.steps_run, one.delivered + 1);
    for (const std::size_t link : paths.links(one.packet.source, one.packet.destination)) {
      record.link_load[link] += one.packet.flits;
      record.flit_hops += one.packet.flits;
      ++record.hops.back();
    }
  }
  return record;
}

}  // namespace

SimulationResult simulate_transactions(const SimulationSetup& setup) {
  renew_kernel();
  std::vector<Carried> carried;
  TransactionPlatform::Parts parts;
  parts.network = setup.network;
  parts.algorithm = setup.algorithm;
  parts.period = sc_core::sc_time(setup.clock_ns, sc_core::SC_NS);
  const Step limit = setup.limits.steps.value_or(no_step);
  parts.until = limit;
  parts.on_packet = [&carried](const Packet& packet, Step delivered) { carried.push_back({packet, delivered}); };
  TransactionPlatform platform(*setup.transactions, parts);
  // Events at the beginning of step `limit` do not belong to the run.
  if (limit == no_step) sc_core::sc_start();
  else
    sc_core::sc_start(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(limit) * parts.period.value() - 1),
                      sc_core::SC_EXIT_ON_STARVATION);

  SimulationResult result;
  result.transactions = platform.played();
  result.outcome = platform.pending() ? Outcome::step_limit : Outcome::completed;
  result.explanation = unanswered(*setup.transactions, result.transactions);
  result.record = record_of(std::move(carried), setup.network->graph, *setup.algorithm, limit);
  result.sums = sums_of(result.record, setup.network->graph, setup.algorithm->declaration(), {});
  return result;
}

}  // namespace starloom::links

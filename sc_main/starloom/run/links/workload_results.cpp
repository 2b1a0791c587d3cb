// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/workload_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/core/most_steps.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/run/links/flow_results.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>
#include <utility>

namespace starloom::links {
namespace {

/// Calls `visit` with the flits of each packet of a message.
template <class Visit>
void each_packet(const Item& message, std::int32_t longest, Visit&& visit) {
  if (longest == 0) return visit(message.flits);
  for (std::int32_t left = message.flits; left > 0; left -= longest) visit(std::min(left, longest));
}

/// The names of classes of traffic, or of the requests and replies of a closed loop; empty without classes.
std::vector<std::string> class_names(const Traffic& traffic, const Algorithm& algorithm) {
  std::vector<std::string> names;
  if (traffic.closed_loop() != nullptr) return {ClosedLoop::request_class, ClosedLoop::reply_class};
  for (const TrafficClass& of_traffic : algorithm.declaration().classes) names.push_back(of_traffic.name);
  return names;
}

/// The row of a number that no message has is that of a message that was never created.
MessageRow row_of(const Message& message, const Workload& workload, const std::vector<std::string>& classes) {
  if (message.created == no_step) return {};
  const Item& item = message.facts.of_input;
  const std::size_t number = item.reply ? 1 : item.traffic_class;
  return {item.id,         workload.flow(item), classes.empty() ? "" : classes[number],
          item.source,     item.destination,    item.flits,
          message.created, message.delivered,   message.facts.released_by};
}

}  // namespace

IdealRun ideal_run_of(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload,
                      const std::function<void(const Packet& packet)>& created) {
  const ZeroLoad zero_load(graph, algorithm);
  const bool routers = algorithm.declaration().storage == StorageModel::virtual_channels;
  const std::int32_t longest = workload.longest_packet();
  const auto latency = [&](const Item& message) {
    // Packets leave one flit after the other if they have one queue at the source, or one port.
    const bool one_by_one = routers || routed_port(algorithm, message.source, message.destination) != no_port;
    Step last = 0, sent = 0;
    each_packet(message, longest, [&](std::int32_t flits) {
      const Step least = zero_load.least(message.source, message.destination, flits);
      last = std::max(last, least == 0 ? 0 : sent + least);
      if (one_by_one) sent += flits;
    });
    return last;
  };
  IdealRun ideal;
  ideal.critical_path = critical_path(workload, latency, [&](const Item& message, Step step, Step least) {
    if (message.deadline != no_step) {
      ++ideal.deadlines;
      ideal.missed += least > message.deadline ? 1 : 0;
      if (least - message.deadline > ideal.late) {
        ideal.late = least - message.deadline;
        ideal.latest = message;
      }
    }
    if (!created) return;
    each_packet(message, longest, [&](std::int32_t flits) {
      created({message.source, message.destination, flits, step, false, message.traffic_class, 0, message.subnet});
    });
  });
  return ideal;
}

std::string deadlines_text(const IdealRun& ideal, const Workload& workload) {
  if (ideal.missed == 0)
    return fmt::format("{}; without contention none misses its deadline", counted(ideal.deadlines, "message"));
  return fmt::format("{} of {} miss theirs also without contention; late by at least {} in the flow {}", ideal.missed,
                     counted(ideal.deadlines, "message"), counted(ideal.late, "step"), workload.flow(ideal.latest));
}

std::string messages_text(const Workload& workload, const std::vector<Packet>& packets, Step critical_path) {
  std::int64_t flits = 0;
  for (const Packet& packet : packets) flits += packet.flits;
  return fmt::format("{} of {} in total; the longest chain of dependencies has {}, and the critical path takes {}",
                     counted(workload.message_count().value_or(0), "message"), counted(flits, "flit"),
                     counted(workload.depth(), "item"), counted(critical_path, "step"));
}

std::string netrace_text(const NetraceFacts& netrace) {
  return fmt::format("{}, {}, {} in {}{}{}", netrace.name.empty() ? "without a name" : netrace.name,
                     counted(netrace.nodes, "node"), counted(netrace.records, "record"),
                     counted(netrace.cycles, "cycle"), netrace.notes.empty() ? "" : ": ", escape(netrace.notes));
}

std::string closed_loop_text(const ClosedLoop& loop) {
  return fmt::format("{} with at most {} each, {}", counted(static_cast<std::int64_t>(loop.clients.size()), "client"),
                     counted(loop.outstanding, "outstanding request"),
                     counted(static_cast<std::int64_t>(loop.servers.size()), "server"));
}

void add_closed_loop(RunReport& report, const MessageLog& log, const std::optional<Phases>& phases,
                     const std::optional<Measured>& measured) {
  const Step from = phases ? phases->warmup : 0, steps = phases ? measured->steps : log.end;
  const Step to = phases ? from + steps : most_steps;
  Histogram round_trips;
  for (const Message& reply : log.messages) {
    if (!reply.facts.of_input.reply || reply.delivered < from || reply.delivered >= to) continue;
    const Message& request = log.messages[static_cast<std::size_t>(reply.facts.released_by)];
    round_trips.add(reply.delivered - request.created);
  }
  report.metrics["workload.closed_loop.replies"] = round_trips.count();
  if (steps > 0)
    report.metrics["workload.closed_loop.rate"] = static_cast<double>(round_trips.count()) / static_cast<double>(steps);
  const auto found = statistics_of(round_trips);
  if (!found) return;
  report.metrics["workload.closed_loop.round_trip.mean"] = found->mean;
  report.metrics["workload.closed_loop.round_trip.p50"] = found->p50;
  report.metrics["workload.closed_loop.round_trip.p95"] = found->p95;
  report.metrics["workload.closed_loop.round_trip.p99"] = found->p99;
  report.metrics["workload.closed_loop.round_trip.max"] = found->max;
  report.lines.push_back(
      {"replies", fmt::format("{} in {}, {} a step; round trip mean {:.2f}, p50 {}, p95 {}, p99 {}, max {} steps",
                              round_trips.count(), phases ? counted(steps, "measured step") : counted(steps, "step"),
                              decimal(static_cast<double>(round_trips.count()) / static_cast<double>(steps)),
                              found->mean, found->p50, found->p95, found->p99, found->max)});
}

void add_messages(RunReport& report, MessageLog log, const Traffic& traffic, const Algorithm& algorithm, bool listed) {
  report.metrics["workload.messages.total"] = log.total;
  report.metrics["workload.messages.delivered"] = log.delivered;
  report.metrics["workload.end"] = log.end;
  report.metrics["workload.late"] = log.late;
  report.metrics["workload.paused"] = log.paused;
  if (const std::optional<NetraceFacts> netrace = traffic.netrace()) {
    report.metrics["workload.netrace.records"] = netrace->records;
    report.metrics["workload.netrace.trace_cycles"] = netrace->cycles;
    if (netrace->cycles > 0)
      report.metrics["workload.netrace.slowdown"] = static_cast<double>(log.end) / static_cast<double>(netrace->cycles);
  }
  report.lines.push_back(
      {"messages",
       fmt::format("{} of {} delivered, {} created later than their cycle; last delivery or event in step {}",
                   log.delivered, log.total, log.late, log.end)});
  const std::shared_ptr<const Workload> workload = traffic.workload();
  const std::vector<std::string> classes = class_names(traffic, algorithm);
  add_flows(report, log.flows, *workload, classes);
  if (!listed) return;
  report.files.push_back(
      {"messages.csv", [messages = std::move(log.messages), workload, classes](const std::filesystem::path& file) {
         write_messages(file, messages.size(),
                        [&](std::size_t number) { return row_of(messages[number], *workload, classes); });
       }});
}

}  // namespace starloom::links

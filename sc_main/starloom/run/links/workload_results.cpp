// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/workload_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/core/most_steps.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/run/links/flow_results.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <utility>

namespace starloom::links {
namespace {

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
  return {item.id,         workload.flow(item), class_of(item, classes),  item.source, item.destination, item.flits,
          message.created, message.delivered,   message.facts.released_by};
}

/// The messages back from the last delivery, each released by the one before it. If several are last, the first counts.
std::vector<CriticalMessage> critical_path_of(const std::vector<Message>& messages, const MessageLatency& latency) {
  std::int64_t at = -1;
  for (std::size_t number = 0; number < messages.size(); ++number)
    if (messages[number].delivered != no_step &&
        (at < 0 || messages[number].delivered > messages[static_cast<std::size_t>(at)].delivered))
      at = static_cast<std::int64_t>(number);
  std::vector<CriticalMessage> chain;
  while (at >= 0) {
    const Message& message = messages[static_cast<std::size_t>(at)];
    const std::int64_t before = message.facts.released_by;
    const Step from = before < 0 ? 0 : messages[static_cast<std::size_t>(before)].delivered;
    const Step ideal = latency(message.facts.of_input);
    chain.push_back({at, message.created - from, ideal, message.delivered - message.created - ideal});
    at = before;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

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

std::vector<std::string> add_messages(RunReport& report, MessageLog log, const Traffic& traffic,
                                      const NetworkGraph& graph, const Algorithm& algorithm, bool listed) {
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
  std::vector<std::string> captions = flow_captions(log.flows, *workload, graph, algorithm);
  if (!listed) return captions;
  report.files.push_back(
      {"critical_path.csv",
       [chain = critical_path_of(log.messages, MessageLatency(graph, algorithm, workload->longest_packet()))](
           const std::filesystem::path& file) { write_critical_path(file, chain); }});
  report.files.push_back({"messages.csv", [messages = std::move(log.messages), workload, classes,
                                           groups = traffic.groups()](const std::filesystem::path& file) {
                            write_messages(
                                file, messages.size(),
                                [&](std::size_t number) { return row_of(messages[number], *workload, classes); },
                                groups);
                          }});
  return captions;
}

}  // namespace starloom::links

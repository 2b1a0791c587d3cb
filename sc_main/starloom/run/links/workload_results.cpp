// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/workload_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/traffic/workloads/ideal_network.hpp>
#include <utility>

namespace starloom::links {
namespace {

/// Calls `visit` with the flits of each packet of a message.
template <class Visit>
void each_packet(const Item& message, std::int32_t longest, Visit&& visit) {
  if (longest == 0) return visit(message.flits);
  for (std::int32_t left = message.flits; left > 0; left -= longest) visit(std::min(left, longest));
}

/// The names of classes of traffic; empty without classes.
std::vector<std::string> class_names(const Algorithm& algorithm) {
  std::vector<std::string> names;
  for (const TrafficClass& of_traffic : algorithm.declaration().classes) names.push_back(of_traffic.name);
  return names;
}

MessageRow row_of(const Message& message, const Workload& workload, const std::vector<std::string>& classes) {
  const Item& item = message.facts.of_input;
  return {item.id,         workload.flow(item), classes.empty() ? "" : classes[item.traffic_class],
          item.source,     item.destination,    item.flits,
          message.created, message.delivered,   message.facts.released_by};
}

}  // namespace

Step critical_path_of(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload,
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
  return critical_path(workload, latency, [&](const Item& message, Step step) {
    if (!created) return;
    each_packet(message, longest, [&](std::int32_t flits) {
      created({message.source, message.destination, flits, step, false, message.traffic_class, 0, message.subnet});
    });
  });
}

std::string messages_text(const Workload& workload, const std::vector<Packet>& packets, Step critical_path) {
  std::int64_t flits = 0;
  for (const Packet& packet : packets) flits += packet.flits;
  return fmt::format("{} of {} in total; the longest chain of dependencies has {}, and the critical path takes {}",
                     counted(workload.message_count().value_or(0), "message"), counted(flits, "flit"),
                     counted(workload.depth(), "item"), counted(critical_path, "step"));
}

void add_messages(RunReport& report, MessageLog log, std::shared_ptr<const Workload> workload,
                  const Algorithm& algorithm, bool listed) {
  report.metrics["workload.messages.total"] = log.total;
  report.metrics["workload.messages.delivered"] = log.delivered;
  report.metrics["workload.end"] = log.end;
  report.metrics["workload.late"] = log.late;
  report.metrics["workload.paused"] = 0;
  report.lines.push_back(
      {"messages",
       fmt::format("{} of {} delivered, {} created later than their cycle; last delivery or event in step {}",
                   log.delivered, log.total, log.late, log.end)});
  if (!listed) return;
  report.files.push_back({"messages.csv", [messages = std::move(log.messages), workload = std::move(workload),
                                           classes = class_names(algorithm)](const std::filesystem::path& file) {
                            write_messages(file, messages.size(), [&](std::size_t number) {
                              return row_of(messages[number], *workload, classes);
                            });
                          }});
}

}  // namespace starloom::links

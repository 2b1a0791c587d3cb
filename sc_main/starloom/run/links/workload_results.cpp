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

std::vector<MessageRow> rows_of(const MessageLog& log, const Workload& workload,
                                const std::vector<TrafficClass>& classes) {
  std::vector<MessageRow> rows;
  rows.reserve(log.messages.size());
  for (const Message& message : log.messages) {
    const Item& item = message.facts.of_input;
    rows.push_back({item.id, workload.flow(item), classes.empty() ? "" : classes[item.traffic_class].name, item.source,
                    item.destination, item.flits, message.created, message.delivered, message.facts.released_by});
  }
  return rows;
}

}  // namespace

IdealRun ideal_run(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload, int subnets) {
  IdealRun run;
  const ZeroLoad zero_load(graph, algorithm);
  // The packets of a message leave its source one flit after the other if they have one way out.
  const bool one_way =
      algorithm.declaration().storage == StorageModel::virtual_channels ? subnets == 1 : paths_are_fixed(algorithm);
  const std::int32_t longest = workload.longest_packet();
  const auto latency = [&](const Item& message) {
    Step last = 0, sent = 0;
    each_packet(message, longest, [&](std::int32_t flits) {
      const Step least = zero_load.least(message.source, message.destination, flits);
      last = std::max(last, least == 0 ? 0 : sent + least);
      if (one_way) sent += flits;
    });
    return last;
  };
  run.critical_path = critical_path(workload, latency, [&](const Item& message, Step created) {
    each_packet(message, longest, [&](std::int32_t flits) {
      run.packets.push_back(
          {message.source, message.destination, flits, created, false, message.traffic_class, 0, message.subnet});
    });
  });
  return run;
}

std::string messages_text(const Workload& workload, const IdealRun& ideal) {
  std::int64_t flits = 0;
  for (const Packet& packet : ideal.packets) flits += packet.flits;
  return fmt::format("{} of {} in total; the longest chain of dependencies has {}, and the critical path takes {}",
                     counted(workload.message_count().value_or(0), "message"), counted(flits, "flit"),
                     counted(workload.depth(), "item"), counted(ideal.critical_path, "step"));
}

void add_messages(RunReport& report, const MessageLog& log, const Workload& workload, const Algorithm& algorithm,
                  bool listed) {
  report.metrics["workload.messages.total"] = log.total;
  report.metrics["workload.messages.delivered"] = log.delivered;
  report.metrics["workload.end"] = log.end;
  report.metrics["workload.late"] = log.late;
  report.metrics["workload.paused"] = 0;
  report.lines.push_back(
      {"messages", fmt::format("{} of {} delivered, {} created later than their cycle; last delivery or event in "
                               "step {}",
                               log.delivered, log.total, log.late, log.end)});
  if (!listed) return;
  report.files.push_back({"messages.csv", [rows = rows_of(log, workload, algorithm.declaration().classes)](
                                              const std::filesystem::path& file) { write_messages(file, rows); }});
}

}  // namespace starloom::links

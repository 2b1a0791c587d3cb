// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/flow_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <starloom/control/links/paths.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/flows_csv.hpp>
#include <utility>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// A flow, or a class, of messages.
struct Sums {
  std::int64_t messages = 0, missed = 0;
  SmallHistogram latency;

  void add(const FlowPart& part) {
    messages += part.messages;
    missed += part.missed();
    latency.add(part.latency);
  }
};

/// Sorted by name.
std::vector<FlowRow> rows_of(const std::vector<FlowPart>& parts, const std::function<std::string(const Item&)>& name,
                             const std::vector<std::string>& classes) {
  std::map<std::string, std::vector<const FlowPart*>> flows;
  for (const FlowPart& part : parts) flows[name(part.first)].push_back(&part);
  std::vector<FlowRow> rows;
  for (const auto& [flow, own] : flows) {
    FlowRow& row = rows.emplace_back();
    const Item& first = own.front()->first;
    row = {flow, class_of(first, classes), first.source, is_group(first.destination) ? no_node : first.destination};
    row.deadline = first.deadline;
    Sums sums;
    for (const FlowPart* const part : own) {
      sums.add(*part);
      row.flits += part->flits;
      if (part->first.source != first.source) row.source = no_node;
      if (part->first.destination != first.destination) row.destination = no_node;
      if (part->first.deadline != first.deadline) row.deadline = no_step;
      if (class_of(part->first, classes) != class_of(first, classes)) row.traffic_class.clear();
    }
    row.messages = sums.messages;
    row.missed = sums.missed;
    row.delivered = sums.latency.count();
    if (const auto found = statistics_of(sums.latency))
      row.latency = {found->mean, found->p50, found->p95, found->p99, found->max};
  }
  return rows;
}

/// Without classes all messages are of one, which has no name.
Json classes_json(const std::vector<FlowPart>& parts, const std::vector<std::string>& classes) {
  std::vector<std::string> names = classes;
  if (names.empty()) names.emplace_back();
  Json list = Json::array();
  for (const std::string& name : names) {
    Sums sums;
    for (const FlowPart& part : parts)
      if (class_of(part.first, classes) == name) sums.add(part);
    list.push_back({{"name", name},
                    {"messages", sums.messages},
                    {"latency", statistics_json(statistics_of(sums.latency))},
                    {"missed", sums.missed}});
  }
  return list;
}

/// `30 of 480 messages missed; late by at most 6 steps, in the flow ring[0] 15->0`.
void add_deadlines(RunReport& report, const std::vector<FlowPart>& parts, const Workload& workload) {
  std::int64_t messages = 0, missed = 0, undelivered = 0;
  Step latest = 0;
  const FlowPart* of_latest = nullptr;
  for (const FlowPart& part : parts) {
    if (part.first.deadline == no_step) continue;
    messages += part.messages;
    missed += part.missed();
    undelivered += part.messages - part.latency.count();
    part.latency.for_each([&](Step latency, std::int64_t /*times*/) {
      if (latency - part.first.deadline <= latest) return;
      latest = latency - part.first.deadline;
      of_latest = &part;
    });
  }
  if (messages == 0) return;
  std::string text = fmt::format("{} of {} missed", missed, counted(messages, "message"));
  if (undelivered > 0) text += fmt::format(", {} of them undelivered", undelivered);
  if (of_latest != nullptr)
    text +=
        fmt::format("; late by at most {}, in the flow {}", counted(latest, "step"), workload.flow(of_latest->first));
  report.lines.push_back({"deadlines", text});
}

void add_file(RunReport& report, std::vector<FlowRow> rows) {
  report.files.push_back(
      {"flows.csv", [rows = std::move(rows)](const std::filesystem::path& file) { write_flows(file, rows); }});
}

}  // namespace

std::string class_of(const Item& message, const std::vector<std::string>& classes) {
  return classes.empty() ? "" : classes[message.reply ? 1 : message.traffic_class];
}

void add_flows(RunReport& report, const std::vector<FlowPart>& parts, const Workload& workload,
               const std::vector<std::string>& classes) {
  report.metrics["workload.classes"] = classes_json(parts, classes);
  std::vector<FlowRow> rows = rows_of(
      parts, [&workload](const Item& message) { return workload.flow(message); }, classes);
  add_deadlines(report, parts, workload);
  add_file(report, std::move(rows));
}

std::vector<std::string> flow_captions(const std::vector<FlowPart>& parts, const Workload& workload,
                                       const NetworkGraph& graph, const Algorithm& algorithm) {
  constexpr std::size_t most_flows = 10;
  constexpr std::int64_t most_crossings_named = 2'000'000;
  std::int64_t crossings = 0;
  std::vector<std::map<std::string, std::int64_t>> flits(graph.link_slots());
  for (const FlowPart& part : parts) {
    const std::string name = workload.flow(part.first);
    const bool known =
        follow_fixed_paths(graph, algorithm, part.first.source, part.first.destination, [&](NodeId node, Port port) {
          flits[graph.index(node, port)][name] += part.flits;
          ++crossings;
        });
    if (!known || crossings > most_crossings_named) return {};
  }
  std::vector<std::string> captions;
  for (const std::map<std::string, std::int64_t>& of_link : flits) {
    std::vector<std::pair<std::string, std::int64_t>> flows(of_link.begin(), of_link.end());
    std::stable_sort(flows.begin(), flows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string& text = captions.emplace_back();
    for (std::size_t i = 0; i < std::min(flows.size(), most_flows); ++i)
      text += fmt::format("{}{}, {}", i == 0 ? "" : "; ", flows[i].first, counted(flows[i].second, "flit"));
    if (flows.size() > most_flows) text += fmt::format("; and {} more", flows.size() - most_flows);
  }
  return captions;
}

void add_task_flows(RunReport& report, const RunRecord& record, const PlacedTasks& tasks) {
  std::map<NodeId, std::string> task_at;
  for (std::size_t task = 0; task < tasks.names.size(); ++task)
    task_at[tasks.node[task]] = unquoted_cell(tasks.names[task]);
  FlowTally tally;
  for (std::size_t number = 0; number < record.packets.size(); ++number) {
    const Packet& packet = record.packets[number];
    Item message;
    message.source = packet.source;
    message.destination = packet.destination;
    message.flits = packet.flits;
    const std::int32_t part = tally.created(message);
    if (record.delivered[number] != no_step) tally.delivered(part, record.delivered[number] - packet.created);
  }
  add_file(report, rows_of(std::move(tally).parts(),
                           [&task_at](const Item& message) {
                             return task_at.at(message.source) + "->" + task_at.at(message.destination);
                           },
                           {}));
}

}  // namespace starloom::links

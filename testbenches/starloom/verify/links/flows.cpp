// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/flows.hpp>

#include <algorithm>
#include <optional>

#include <starloom/support/error.hpp>
#include <starloom/verify/latency_metrics.hpp>

namespace starloom::links {

RunFlows::RunFlows(const std::filesystem::path& folder, const RunMessages* messages, const PacketTable& table,
                   const RunFacts& facts)
    : facts_(facts), of_messages_(messages != nullptr), rows_(read_flows(folder / "flows.csv")), found_(rows_.size()) {
  std::map<std::string, std::size_t> by_name;
  std::map<std::pair<NodeId, NodeId>, std::size_t> by_ends;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    by_name[rows_[row].flow] = row;
    by_ends[{rows_[row].source, rows_[row].destination}] = row;
  }
  const auto lacks = [&folder](const std::string& flow) {
    return InputError((folder / "flows.csv").string() + ": the flow " + flow + " is missing");
  };
  if (messages == nullptr) {
    for (std::size_t number = 0; number < table.packets.size(); ++number) {
      const Packet& packet = table.packets[number];
      const auto row = by_ends.find({packet.source, packet.destination});
      if (row == by_ends.end())
        throw lacks("of packets from node " + std::to_string(packet.source) + " to node " +
                    std::to_string(packet.destination));
      add(found_[row->second],
          {-1, "", "", packet.source, packet.destination, packet.flits, packet.created, table.delivered[number], -1});
    }
    return;
  }
  messages->each([&](const MessageRow& message, std::size_t /*first_packet*/, std::size_t /*count*/) {
    if (message.created < facts_.measured_from) return;
    if (facts_.measured_to != no_step && message.created >= facts_.measured_to) return;
    const auto row = by_name.find(message.flow);
    if (row == by_name.end()) throw lacks(message.flow);
    add(found_[row->second], message);
    add(of_class_[message.traffic_class], message);
  });
}

void RunFlows::add(Found& found, const MessageRow& message) const {
  if (found.messages++ == 0) {
    found.traffic_class = message.traffic_class;
    found.source = message.source;
    found.destination = is_group(message.destination) ? no_node : message.destination;
  }
  if (found.traffic_class != message.traffic_class) found.traffic_class.clear();
  if (found.source != message.source) found.source = no_node;
  if (found.destination != message.destination) found.destination = no_node;
  found.flits += message.flits;
  if (message.delivered != no_step) found.latencies.push_back(message.delivered - message.created);
}

std::int64_t RunFlows::missed(const FlowRow& row, const Found& found) {
  const auto in_time = std::count_if(found.latencies.begin(), found.latencies.end(),
                                     [&row](Step latency) { return latency <= row.deadline; });
  return found.messages - in_time;
}

void RunFlows::compare(Comparison& comparison, const ResultDocument& result) const {
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    const FlowRow& row = rows_[number];
    const Found& found = found_[number];
    const auto require = [&](bool holds, const std::string& text) {
      comparison.require(holds, "flows.csv: the flow " + row.flow + " " + text);
    };
    require(row.messages == found.messages, "has " + std::to_string(found.messages) + " messages");
    require(row.flits == found.flits, "has " + std::to_string(found.flits) + " flits");
    require(row.delivered == static_cast<std::int64_t>(found.latencies.size()),
            "has " + std::to_string(found.latencies.size()) + " messages that were delivered");
    require(
        row.traffic_class == found.traffic_class && row.source == found.source && row.destination == found.destination,
        "has messages of another class, or with other ends");
    const LatencyDistribution latency = distribution_of(found.latencies);
    require(row.latency.has_value() == latency.max.has_value() &&
                (!row.latency ||
                 *row.latency == FlowLatency{*latency.mean, *latency.p50, *latency.p95, *latency.p99, *latency.max}),
            "has other latencies, by its messages");
    // The deadline of each message is not in the folder.
    if (row.deadline != no_step)
      require(row.missed == missed(row, found),
              "has " + std::to_string(missed(row, found)) + " messages that missed their deadline");
  }
  if (of_messages_) compare_classes(comparison, result);
}

/// A flow of several classes does not show which of them missed deadlines.
void RunFlows::compare_classes(Comparison& comparison, const ResultDocument& result) const {
  const bool classes = of_class_.count("") == 0;
  const bool apart = !classes || std::none_of(rows_.begin(), rows_.end(),
                                              [](const FlowRow& row) { return row.traffic_class.empty(); });
  std::size_t seen = 0;
  for (std::size_t number = 0; number < result.at("workload.classes").size(); ++number) {
    const std::string path = "workload.classes." + std::to_string(number);
    const std::string name = result.text(path + ".name");
    const auto known = of_class_.find(name);
    seen += known == of_class_.end() ? 0 : 1;
    const Found found = known == of_class_.end() ? Found() : known->second;
    comparison.expect(path + ".messages", found.messages);
    compare_distribution(comparison, path + ".latency", found.latencies);
    std::int64_t missed = 0;
    for (const FlowRow& row : rows_) missed += row.traffic_class == name ? row.missed : 0;
    if (apart) comparison.expect(path + ".missed", missed);
  }
  comparison.require(seen == of_class_.size(), "in result.json workload.classes lacks a class of messages.csv");
}

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/replay_workload.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <starloom/support/error.hpp>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/flows_csv.hpp>
#include <starloom/trace_io/links/operations_csv.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers of names, in the order of their first use.
class Names {
 public:
  std::uint64_t number(const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, numbers_.size());
    if (is_new) names_.push_back(name);
    return known->second;
  }
  const std::vector<std::string>& list() const { return names_; }

 private:
  std::map<std::string, std::uint64_t> numbers_;
  std::vector<std::string> names_;
};

std::vector<bool> shown_messages(const MessageTable& messages, const std::vector<CriticalMessage>& chain, Step from,
                                 Step to) {
  std::vector<bool> shown(messages.size(), false);
  for (std::size_t number = 0; number < messages.size(); ++number) {
    const MessageRow& message = messages[number];
    shown[number] =
        message.exists() && message.created < to && (message.delivered == no_step || message.delivered >= from);
  }
  for (const CriticalMessage& entry : chain) shown[static_cast<std::size_t>(entry.message)] = true;
  // A message is released by one with a lower number.
  for (std::size_t number = messages.size(); number-- > 0;)
    if (shown[number] && messages[number].released_by >= 0)
      shown[static_cast<std::size_t>(messages[number].released_by)] = true;
  return shown;
}

/// \param several the number of a destination that is several nodes.
ByteStream messages_section(const MessageTable& messages, const std::vector<bool>& shown, Names& flows,
                            NodeId several) {
  ByteStream stream;
  stream.number(static_cast<std::uint64_t>(std::count(shown.begin(), shown.end(), true)));
  std::size_t last = 0, last_packet = 0;
  Step last_created = 0;
  for (std::size_t number = 0; number < messages.size(); ++number) {
    if (!shown[number]) continue;
    const MessageRow& message = messages[number];
    stream.number(number - last);
    stream.number(flows.number(message.flow));
    stream.number(static_cast<std::uint64_t>(message.source));
    stream.number(static_cast<std::uint64_t>(is_group(message.destination) ? several : message.destination));
    stream.number(static_cast<std::uint64_t>(message.flits));
    stream.difference(message.created - last_created);
    stream.number(message.delivered == no_step ? 0
                                               : static_cast<std::uint64_t>(message.delivered - message.created + 1));
    stream.number(message.released_by < 0 ? 0 : number - static_cast<std::size_t>(message.released_by));
    stream.number(messages.first_packet(number) - last_packet);
    stream.number(messages.packet_count(number));
    last = number;
    last_created = message.created;
    last_packet = messages.first_packet(number);
  }
  return stream;
}

ByteStream chain_section(const std::vector<CriticalMessage>& chain) {
  ByteStream stream;
  stream.number(chain.size());
  std::int64_t last = 0;
  for (const CriticalMessage& entry : chain) {
    stream.difference(entry.message - last);
    stream.number(static_cast<std::uint64_t>(entry.compute));
    stream.number(static_cast<std::uint64_t>(entry.ideal));
    stream.number(static_cast<std::uint64_t>(entry.contention));
    last = entry.message;
  }
  return stream;
}

/// Bars of ranks by row and start.
ByteStream operations_section(const std::vector<OperationRow>& operations, Step from, Step to,
                              const std::map<std::int32_t, NodeId>& node_of, Names& names) {
  std::vector<const OperationRow*> bars;
  for (const OperationRow& row : operations)
    if (row.start != no_step && row.start != row.finish && row.start < to &&
        (row.finish == no_step || row.finish >= from))
      bars.push_back(&row);
  std::stable_sort(bars.begin(), bars.end(), [](const OperationRow* a, const OperationRow* b) {
    return std::tie(a->rank, a->start) < std::tie(b->rank, b->start);
  });
  ByteStream stream;
  stream.number(bars.size());
  std::uint64_t row = 0;
  auto rank = node_of.begin();
  for (const OperationRow* const bar : bars) {
    for (; rank->first != bar->rank; ++rank) ++row;
    stream.number(row);
    stream.number(names.number(bar->name));
    stream.number(static_cast<std::uint64_t>(bar->instance));
    stream.number(bar->op == "compute" ? 1 : 0);
    stream.number(static_cast<std::uint64_t>(bar->start));
    stream.number(bar->finish == no_step ? 0 : static_cast<std::uint64_t>(bar->finish - bar->start));
  }
  return stream;
}

}  // namespace

void add_workload(const RunFiles& run, Step from, Step to, ReplayContent& content) {
  const MessageTable& messages = *run.messages;
  const NetworkGraph& graph = run.network.graph;
  const std::filesystem::path file = run.folder / "critical_path.csv", operations_file = run.folder / "operations.csv";
  const std::vector<CriticalMessage> chain = read_critical_path(file);
  for (const CriticalMessage& entry : chain)
    if (entry.message >= static_cast<std::int64_t>(messages.size()) ||
        messages[static_cast<std::size_t>(entry.message)].delivered == no_step)
      throw InputError(fmt::format("{}: message {} was not delivered, by messages.csv", file.string(), entry.message));
  std::vector<OperationRow> operations;
  if (run.has_operations) operations = read_operations(operations_file);

  std::map<std::int32_t, NodeId> node_of;  // [rank]
  for (const OperationRow& row : operations) {
    if (row.node >= graph.nodes_of_subnet())
      throw InputError(fmt::format("{}: node {} is not in the network", operations_file.string(), row.node));
    node_of.emplace(row.rank, row.node);
  }
  Json rows = Json::array();
  for (const auto& [rank, node] : node_of) rows.push_back({fmt::format("rank {}", rank), node});
  const std::vector<bool> shown = shown_messages(messages, chain, from, to);
  if (!run.has_operations) {
    std::set<NodeId> senders;
    for (std::size_t number = 0; number < messages.size(); ++number)
      if (shown[number]) senders.insert(messages[number].source);
    for (const NodeId node : senders) rows.push_back({graph.node_name(node), node});
  }

  Names flows, names;
  for (const OperationRow& row : operations)
    if (row.op != "compute") names.number(row.name);  // first, as in collectives.svg
  content.sections.emplace_back("messages", messages_section(messages, shown, flows, run.network.graph.nodes()));
  content.sections.emplace_back("chain", chain_section(chain));
  content.sections.emplace_back("operations", operations_section(operations, from, to, node_of, names));
  std::map<std::string, Step> deadlines;
  for (const FlowRow& row : read_flows(run.folder / "flows.csv")) deadlines[row.flow] = row.deadline;
  Json flow_list = Json::array();
  for (const std::string& flow : flows.list()) {
    const auto found = deadlines.find(flow);
    flow_list.push_back({flow, found == deadlines.end() || found->second == no_step ? Json() : Json(found->second)});
  }
  content.facts["workload"] = {{"rows", std::move(rows)},
                               {"flows", std::move(flow_list)},
                               {"operations", names.list()},
                               {"program", run.has_operations}};
}

}  // namespace starloom::links

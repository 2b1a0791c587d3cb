// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/collectives.hpp>

#include <algorithm>
#include <optional>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

constexpr std::size_t most_in_result = 1'000;

std::string name_of(const std::string& name, std::int64_t instance) {
  return name + "[" + std::to_string(instance) + "]";
}

/// The bus bandwidth by the algorithm bandwidth (NCCL tests, PERFORMANCE.md).
double bus_factor(const CollectiveRow& row) {
  const double others = static_cast<double>(row.ranks - 1) / row.ranks;
  if (row.op == "all-reduce") return 2 * others;
  return row.op == "broadcast" || row.op == "reduce" ? 1 : others;
}

/// An entry of `workload.collectives`.
CollectiveRow entry_of(const ResultDocument& result, const std::string& path) {
  const auto integer = [&](const char* key) -> std::optional<std::int64_t> {
    return result.at(path + key).is_null() ? std::nullopt : std::optional(result.integer(path + key));
  };
  const auto number = [&](const char* key) -> std::optional<double> {
    return result.at(path + key).is_null() ? std::nullopt : std::optional(result.number(path + key));
  };
  return {result.text(path + "name"),
          result.integer(path + "instance"),
          result.text(path + "op"),
          result.text(path + "algorithm"),
          result.small(path + "ranks", 1),
          result.integer(path + "flits"),
          integer("start").value_or(no_step),
          integer("finish").value_or(no_step),
          number("algbw_gbps"),
          number("busbw_gbps"),
          {result.integer(path + "node"), integer("link"), number("bisection"), number("model")}};
}

}  // namespace

RunCollectives::RunCollectives(const std::filesystem::path& folder, const ResultDocument& result,
                               const NetworkGraph& graph, const RunMessages& messages, std::size_t packets)
    : result_(result),
      graph_(graph),
      collectives_(read_collectives(folder / "collectives.csv")),
      chunks_(read_chunks(folder / "chunks.csv")),
      operations_(read_operations(folder / "operations.csv")),
      of_messages_(operations_.size(), {no_step, no_step}),
      messages_(collectives_.size()),
      collective_of_(packets, -1) {
  for (std::size_t number = 0; number < collectives_.size(); ++number) {
    const std::string name = name_of(collectives_[number].name, collectives_[number].instance);
    if (!by_name_.emplace(name, number).second)
      throw InputError((folder / "collectives.csv").string() + ": " + name + " is there twice");
  }
  for (const ChunkRow& chunk : chunks_)
    if (const std::string name = name_of(chunk.name, chunk.instance); by_name_.count(name) == 0)
      throw InputError((folder / "chunks.csv").string() + ": " + name + " is not in collectives.csv");
  std::unordered_map<std::string, std::size_t> by_rank;           // `NAME[INSTANCE] RANK`
  std::map<std::pair<std::string, NodeId>, std::string> rank_at;  // [NAME[INSTANCE], node] the same
  for (std::size_t number = 0; number < operations_.size(); ++number) {
    const OperationRow& row = operations_[number];
    const std::string name = name_of(row.name, row.instance) + " " + std::to_string(row.rank);
    if (!by_rank.emplace(name, number).second)
      throw InputError((folder / "operations.csv").string() + ": " + name + " is there twice");
    if (!messages.groups().empty()) rank_at[{name_of(row.name, row.instance), row.node}] = name;
  }
  const auto count_message = [&](const std::string& rank, NodeId node, Step created, Step delivered) {
    const auto found = by_rank.find(rank);
    if (found == by_rank.end() || operations_[found->second].node != node)
      throw InputError((folder / "operations.csv").string() + ": " + rank + " is not there with node " +
                       std::to_string(node));
    auto& [first, last] = of_messages_[found->second];
    if (created != no_step && (first == no_step || created < first)) first = created;
    last = std::max(last, delivered);
  };
  messages.each([&](const MessageRow& message, std::size_t first_packet, std::size_t count) {
    // The flow is `NAME[INSTANCE] SOURCE->DESTINATION`.
    const std::size_t space = message.flow.rfind(' '), arrow = message.flow.rfind("->");
    if (space == std::string::npos || arrow == std::string::npos || arrow < space)
      throw InputError((folder / "messages.csv").string() + ": the flow " + message.flow + " has no ranks");
    count_message(message.flow.substr(0, arrow), message.source, message.created, message.delivered);
    const std::string operation = message.flow.substr(0, space);
    std::vector<NodeId> receivers = {message.destination};
    if (is_group(message.destination)) {
      receivers = messages.groups()[group_index(message.destination)].destinations;
      for (const NodeId node : receivers) {
        const auto rank = rank_at.find({operation, node});
        count_message(rank == rank_at.end() ? message.flow : rank->second, node, no_step, message.delivered);
      }
    } else {
      count_message(operation + " " + message.flow.substr(arrow + 2), message.destination, no_step, message.delivered);
    }
    const auto found = by_name_.find(operation);
    if (found == by_name_.end()) return;
    std::fill_n(collective_of_.begin() + static_cast<std::ptrdiff_t>(first_packet), count,
                static_cast<std::int32_t>(found->second));
    Messages& own = messages_[found->second];
    if (own.first == no_step) own.first = message.created;
    own.last = std::max(own.last, message.delivered);
    own.busiest = std::max(own.busiest, own.sent[message.source] += message.flits);
    for (const NodeId node : receivers) own.busiest = std::max(own.busiest, own.received[node] += message.flits);
  });
}

void RunCollectives::rows(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step) {
    if (row.event != TraceEvent::hop) continue;
    const std::int32_t number = collective_of_[static_cast<std::size_t>(row.packet)];
    if (number < 0) continue;
    Messages& own = messages_[static_cast<std::size_t>(number)];
    const std::uint64_t link =
        static_cast<std::uint64_t>(number) * graph_.link_slots() + graph_.index(row.node, row.port);
    own.busiest_link = std::max(own.busiest_link, ++flits_[link]);
  }
}

void RunCollectives::compare(Comparison& comparison) const {
  const std::int64_t flit_bytes = result_.integer("experiment.units.flit_bytes");
  const double clock = result_.number("experiment.units.clock_ns");
  const bool completed = result_.outcome() == Outcome::completed;
  for (std::size_t number = 0; number < collectives_.size(); ++number) {
    const CollectiveRow& row = collectives_[number];
    const Messages& own = messages_[number];
    const auto require = [&](bool holds, const std::string& text) {
      comparison.require(holds, "collectives.csv: " + name_of(row.name, row.instance) + " " + text);
    };
    require(own.first == no_step || (row.start != no_step && row.start <= own.first),
            "starts after its first message is created, in step " + std::to_string(own.first));
    const bool finished = row.finish != no_step;
    require(finished || !completed, "is not finished");
    require(!finished || (row.start != no_step && row.finish >= row.start && row.finish >= own.last),
            "finishes before its last message is delivered, in step " + std::to_string(own.last));
    require(finished ? own.busiest == row.bounds.node : own.busiest <= row.bounds.node,
            "has a rank with " + std::to_string(own.busiest) + " flits, by its messages");
    if (row.bounds.link)
      require(finished ? own.busiest_link == *row.bounds.link : own.busiest_link <= *row.bounds.link,
              "has a link with " + std::to_string(own.busiest_link) + " flits, by the rows");
    std::optional<double> algbw, busbw;
    if (finished && row.finish > row.start && row.op != "barrier") {
      algbw = static_cast<double>(row.flits * flit_bytes) / (static_cast<double>(row.finish - row.start) * clock);
      busbw = *algbw * bus_factor(row);
    }
    require(row.algbw_gbps == algbw, "has another algorithm bandwidth, by its times");
    require(row.busbw_gbps == busbw, "has another bus bandwidth, by its times");
    if (finished)
      comparison.require(row.finish <= result_.integer("workload.end"),
                         "workload.end is before " + name_of(row.name, row.instance) + " finishes");
  }
  compare_chunks(comparison);
  compare_operations(comparison);
  compare_with_result(comparison);
}

/// The last message of a finished collective carries a chunk.
void RunCollectives::compare_chunks(Comparison& comparison) const {
  std::vector<Step> last(collectives_.size(), no_step);
  for (const ChunkRow& chunk : chunks_) {
    const std::size_t number = by_name_.at(name_of(chunk.name, chunk.instance));
    const CollectiveRow& row = collectives_[number];
    comparison.require(row.finish != no_step && chunk.finish >= row.start && chunk.finish <= row.finish,
                       "chunks.csv: block " + std::to_string(chunk.block) + " of " + name_of(row.name, row.instance) +
                           " is not complete between its start and its finish");
    last[number] = std::max(last[number], chunk.finish);
  }
  for (std::size_t number = 0; number < collectives_.size(); ++number) {
    const CollectiveRow& row = collectives_[number];
    if (row.finish == no_step || row.op == "barrier") continue;
    comparison.require(last[number] >= messages_[number].last,
                       "chunks.csv: no block of " + name_of(row.name, row.instance) +
                           " is complete when its last message is delivered, in step " +
                           std::to_string(messages_[number].last));
  }
}

void RunCollectives::compare_operations(Comparison& comparison) const {
  std::vector<OperationRow> whole(collectives_.size());  // of all ranks
  std::vector<bool> open(collectives_.size(), false);
  Step end = 0;
  for (std::size_t number = 0; number < operations_.size(); ++number) {
    const OperationRow& row = operations_[number];
    const auto& [first, last] = of_messages_[number];
    const std::string name = name_of(row.name, row.instance), text = "operations.csv: rank " + std::to_string(row.rank);
    comparison.require(first == no_step || (row.start != no_step && row.start <= first),
                       text + " enters " + name + " after its first message there, in step " + std::to_string(first));
    comparison.require(row.finish == no_step || row.finish >= last,
                       text + " finishes " + name + " before its last message there, in step " + std::to_string(last));
    end = std::max(end, row.finish);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) continue;
    OperationRow& all = whole[found->second];
    if (row.start != no_step && (all.start == no_step || row.start < all.start)) all.start = row.start;
    all.finish = std::max(all.finish, row.finish);
    if (row.finish == no_step) open[found->second] = true;
  }
  for (std::size_t number = 0; number < collectives_.size(); ++number) {
    const CollectiveRow& row = collectives_[number];
    comparison.require(
        row.start == whole[number].start && row.finish == (open[number] ? no_step : whole[number].finish),
        "operations.csv: the ranks of " + name_of(row.name, row.instance) + " have other times than collectives.csv");
  }
  if (result_.outcome() == Outcome::completed) comparison.expect("workload.end", end);
}

void RunCollectives::compare_with_result(Comparison& comparison) const {
  const std::size_t entries = result_.at("workload.collectives").size();
  comparison.require(entries == std::min(collectives_.size(), most_in_result),
                     "in result.json workload.collectives does not have the number of rows of collectives.csv");
  for (std::size_t number = 0; number < std::min(entries, collectives_.size()); ++number) {
    const std::string path = "workload.collectives." + std::to_string(number);
    comparison.require(entry_of(result_, path + ".") == collectives_[number],
                       "in result.json " + path + " differs from its row of collectives.csv");
  }
}

}  // namespace starloom::links

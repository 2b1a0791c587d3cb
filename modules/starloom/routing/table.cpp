// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/table.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/spread.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/nearest.hpp>

namespace starloom::routing {
namespace {

constexpr std::string_view header = "node,destination,port,channels";
constexpr std::string_view header_with_weights = "node,destination,port,channels,weight";
enum Column : std::size_t {
  node_column,
  destination_column,
  port_column,
  channels_column,
  weight_column,
  most_columns
};
constexpr std::int64_t greatest_weight = 65535;

/// A row: an out-port and its channels, for packets to a destination.
struct PathExit {
  Port port = no_port;
  std::vector<ChannelRange> channels;
  int weight = 1;
  std::size_t line = 0;
};
/// By destination and node.
using PathTable = std::map<std::pair<NodeId, NodeId>, std::vector<PathExit>>;

class TableReader {
 public:
  TableReader(const FunctionContext& context, DataFile& file)
      : graph_(context.graph()),
        channels_(context.all_channels()),
        through_terminals_(context.through_terminals),
        file_(file),
        without_path_(graph_, "the table has no rows for them: add rows of the nodes on a path") {
    for (NodeId node = 0; node < graph_.nodes(); ++node) numbers_.emplace(graph_.node_name(node), node);
  }

  /// \throws DataFileError with all faults of the file.
  PathTable read() {
    if (file_.text().empty()) file_.add_error(1, 1, "the file is empty; its first line is " + std::string(header));
    file_.stop_if_invalid();
    file_.each_line([this](std::size_t line, std::string_view row) {
      if (line > 1) read_row(row, line);
      else if (row == header_with_weights) columns_ = most_columns;
      else if (row != header)
        file_.add_error(1, 1,
                        "the first line is " + std::string(header) + ", which a column weight may follow, not '" +
                            std::string(row) + "'");
    });
    file_.stop_if_invalid();
    for (NodeId processor = 0; processor < graph_.processors(); ++processor) follow(graph_.processor(processor));
    file_.stop_if_invalid();
    return std::move(paths_);
  }
  bool has_weights() const { return columns_ == most_columns; }
  const PairsWithoutPath& without_path() const { return without_path_; }

 private:
  void read_row(std::string_view row, std::size_t line) {
    const std::vector<CsvCell> cells = csv_cells(row);
    if (cells.size() != columns_)
      return file_.add_error(line, 1,
                             "a row has " + std::to_string(columns_) + " cells (" +
                                 std::string(has_weights() ? header_with_weights : header) + "), not " +
                                 std::to_string(cells.size()));
    const auto node = node_in(cells[node_column], "node", line);
    const auto destination = node_in(cells[destination_column], "destination", line);
    const auto channels = channels_in(cells[channels_column], line);
    const auto weight = has_weights() ? weight_in(cells[weight_column], line) : 1;
    if (destination && graph_.processor_of(*destination) < 0)
      return file_.add_error(
          line, cells[destination_column].column,
          "destination: " + std::to_string(*destination) + " is a switch, which is never a destination");
    if (!node) return;
    const auto port = port_in(cells[port_column], *node, line);
    if (!destination || !channels || !port || !weight) return;
    if (*node == *destination)
      return file_.add_error(
          line, cells[node_column].column,
          "node and destination are both " + std::to_string(*node) + "; leave out rows of arrived packets");
    std::vector<PathExit>& there = paths_[{*destination, *node}];
    for (const PathExit& other : there)
      if (other.port == *port)
        return file_.add_error(line, cells[port_column].column,
                               "port: " + std::to_string(*port) + " is already in line " + std::to_string(other.line) +
                                   " for the same node and destination");
    std::size_t choices = channels->size();
    for (const PathExit& other : there) choices += other.channels.size();
    if (choices > Choices::most)
      return file_.add_error(line, cells[channels_column].column,
                             "channels: this makes " + std::to_string(choices) +
                                 " ranges of channels for one node and destination; the limit is " +
                                 std::to_string(Choices::most));
    there.push_back({*port, *channels, *weight, line});
  }

  std::optional<NodeId> node_in(const CsvCell& cell, const std::string& what, std::size_t line) {
    const std::optional<std::int64_t> number = parse_integer(cell.text);
    if (number && *number >= 0 && *number < graph_.nodes()) return static_cast<NodeId>(*number);
    if (const auto named = numbers_.find(cell.text); named != numbers_.end()) return named->second;
    file_.add_error(line, cell.column,
                    what + ": " +
                        (number ? *node_error(cell.text, graph_.nodes())
                                : "'" + std::string(cell.text) + "' is not a node" + similar_name(cell.text)));
    return std::nullopt;
  }

  std::string similar_name(std::string_view text) const {
    std::vector<std::string> names;
    for (const auto& [name, number] : numbers_) names.push_back(name);
    return did_you_mean(std::string(text), names);
  }

  std::optional<int> weight_in(const CsvCell& cell, std::size_t line) {
    const std::optional<std::int64_t> weight = parse_integer(cell.text);
    if (weight && *weight >= 1 && *weight <= greatest_weight) return static_cast<int>(*weight);
    file_.add_error(
        line, cell.column,
        "weight: '" + std::string(cell.text) + "' is not an integer of 1 to " + std::to_string(greatest_weight));
    return std::nullopt;
  }

  std::optional<Port> port_in(const CsvCell& cell, NodeId node, std::size_t line) {
    const std::optional<std::int64_t> port = parse_integer(cell.text);
    if (port && graph_.out_ports(node).has(*port)) return static_cast<Port>(*port);
    std::string links;
    for (const Port port : graph_.out_ports(node)) links += (links.empty() ? "" : ", ") + std::to_string(port);
    file_.add_error(line, cell.column,
                    "port: '" + std::string(cell.text) + "' of node " + std::to_string(node) +
                        " has no link; ports with a link: " + links);
    return std::nullopt;
  }

  std::optional<std::vector<ChannelRange>> channels_in(const CsvCell& cell, std::size_t line) {
    if (cell.text == "*") return std::vector<ChannelRange>{channels_};
    std::set<int> numbers;
    for (std::size_t start = 0; start <= cell.text.size();) {
      const std::size_t space = std::min(cell.text.find(' ', start), cell.text.size());
      const std::string_view word = cell.text.substr(start, space - start);
      const std::optional<std::int64_t> number = parse_integer(word);
      const bool known = number && *number >= 0 && *number < channels_.count;
      if (!known || !numbers.insert(static_cast<int>(*number)).second) {
        file_.add_error(line, cell.column + start,
                        "channels: '" + std::string(word) + (known ? "' is listed twice" : "' is not a channel") +
                            "; list each of 0 to " + std::to_string(channels_.count - 1) + " once, or write * for all");
        return std::nullopt;
      }
      start = space + 1;
    }
    std::vector<ChannelRange> ranges;
    for (const int number : numbers) {
      const int channel = channels_.first + number;
      if (!ranges.empty() && channel == ranges.back().first + ranges.back().count) ++ranges.back().count;
      else ranges.push_back({channel, 1});
    }
    return ranges;
  }

  /// All packets of a terminal leave over its only link. A row is needed only to name channels.
  std::vector<PathExit> only_path(NodeId terminal) const {
    return {{graph_.out_ports(terminal).lowest(), {channels_}, 1, 1}};
  }

  /// True if the table has a path for packets of a source, which may be a terminal without a row.
  bool begins_path(NodeId source, NodeId destination) {
    if (paths_.find({destination, source}) != paths_.end()) return true;
    if (!graph_.is_terminal(source)) return false;
    const NodeId router = graph_.far_end(source, graph_.out_ports(source).lowest()).node;
    if (paths_.find({destination, router}) == paths_.end()) return false;
    paths_.emplace(std::pair{destination, source}, only_path(source));
    return true;
  }

  /// Checks all paths to a destination: none leads to a node without a row, and none contains a cycle.
  void follow(NodeId destination) {
    enum class Mark : char { fresh, on_path, done };
    std::vector<Mark> mark(static_cast<std::size_t>(graph_.nodes()), Mark::fresh);
    mark[static_cast<std::size_t>(destination)] = Mark::done;
    struct Stop {
      NodeId node;
      const std::vector<PathExit>* paths;
      std::size_t next;
    };
    std::vector<Stop> path;
    const auto enter = [&](NodeId node, std::size_t line) {
      const auto paths = paths_.find({destination, node});
      mark[static_cast<std::size_t>(node)] = paths == paths_.end() ? Mark::done : Mark::on_path;
      if (paths != paths_.end()) return path.push_back({node, &paths->second, 0});
      file_.add_error(line, 1,
                      "this row sends packets to node " + std::to_string(node) + ", which has no row for destination " +
                          std::to_string(destination));
    };
    for (NodeId processor = 0; processor < graph_.processors(); ++processor) {
      const NodeId source = graph_.processor(processor);
      if (source != destination && !begins_path(source, destination)) without_path_.add(source, destination);
      else if (mark[static_cast<std::size_t>(source)] == Mark::fresh) enter(source, 1);
      while (!path.empty()) {
        Stop& stop = path.back();
        if (stop.next == stop.paths->size()) {
          mark[static_cast<std::size_t>(stop.node)] = Mark::done;
          path.pop_back();
          continue;
        }
        const PathExit& out = (*stop.paths)[stop.next++];
        const NodeId there = graph_.far_end(stop.node, out.port).node;
        if (there != destination && !graph_.forwards(there, through_terminals_)) {
          file_.add_error(out.line, 1,
                          "this row sends packets for destination " + std::to_string(destination) + " to node " +
                              std::to_string(there) + ", a " + (graph_.is_host(there) ? "host" : "terminal") +
                              ", which does not forward packets");
        } else if (mark[static_cast<std::size_t>(there)] == Mark::fresh) {
          enter(there, out.line);
        } else if (mark[static_cast<std::size_t>(there)] == Mark::on_path) {
          std::string cycle;
          for (auto at = std::find_if(path.begin(), path.end(), [&](const Stop& s) { return s.node == there; });
               at != path.end(); ++at)
            cycle += std::to_string(at->node) + ", ";
          file_.add_error(out.line, 1,
                          "packets for destination " + std::to_string(destination) + " follow a cycle: " + cycle +
                              std::to_string(there));
        }
      }
    }
  }

  const NetworkGraph& graph_;
  const ChannelRange channels_;
  const bool through_terminals_;
  DataFile& file_;
  std::size_t columns_ = weight_column;                 ///< of a row
  std::map<std::string, NodeId, std::less<>> numbers_;  ///< [name of a node]
  PathTable paths_;
  PairsWithoutPath without_path_;
};

class Table final : public RoutingFunction {
 public:
  Table(const NetworkGraph& graph, ChannelRange channels, const PathTable& paths, PairsWithoutPath without_path)
      : graph_(graph),
        channels_(channels),
        without_path_(std::move(without_path)),
        end_(static_cast<std::size_t>(graph.processors()) * nodes()) {
    for (const auto& [key, list] : paths) {
      adaptive_ = adaptive_ || list.size() > 1;
      for (const PathExit& path : list)
        for (const ChannelRange& range : path.channels)
          choices_.push_back({path.port, range.first, range.count, 0, path.weight});
      end_[index(key.first, key.second)] = choices_.size();
    }
    for (std::size_t i = 1; i < end_.size(); ++i) end_[i] = std::max(end_[i], end_[i - 1]);
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    const std::size_t at = index(head.destination, head.node);
    for (std::size_t i = at == 0 ? 0 : end_[at - 1]; i < end_[at]; ++i)
      choices.add(choices_[i].port, choices_[i].first, choices_[i].count, 0, choices_[i].weight);
  }
  bool adaptive() const override { return adaptive_; }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }

 private:
  std::size_t nodes() const { return static_cast<std::size_t>(graph_.nodes()); }
  std::size_t index(NodeId destination, NodeId node) const {
    return static_cast<std::size_t>(graph_.processor_of(destination)) * nodes() + static_cast<std::size_t>(node);
  }

  const NetworkGraph graph_;
  ChannelRange channels_;
  const PairsWithoutPath without_path_;
  std::vector<Choice> choices_;   ///< by destination and node
  std::vector<std::size_t> end_;  ///< [processor, node] in `choices_`
  bool adaptive_ = false;
};

}  // namespace

FunctionEntry table_entry() {
  FunctionEntry entry;
  entry.name = "table";
  entry.meaning = "routes from the file of the key table";
  entry.serves = {{connected}};
  entry.fixed = true;
  entry.knows_faults = true;
  entry.keys = {file_key("table",
                         "routes of function table: CSV with node,destination,port,channels and optionally weight; "
                         "nodes are numbers or names, channels numbers separated by spaces, or *")
                    .is_required()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) -> std::unique_ptr<RoutingFunction> {
    DataFile file(context.folder, keys.text("table"), "table");
    TableReader reader(context, file);
    const PathTable paths = reader.read();
    std::unique_ptr<RoutingFunction> table =
        std::make_unique<Table>(context.graph(), context.all_channels(), paths, reader.without_path());
    if (context.faults != nullptr) table = pruned(std::move(table), context);
    const bool draws = reader.has_weights() && table->adaptive();
    return spread_over(draws ? Spread::packet : Spread::none, std::move(table), context);
  };
  return entry;
}

}  // namespace starloom::routing

// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/packet_file.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/traffic/class_traffic.hpp>
#include <starloom/traffic/packet_list.hpp>
#include <starloom/traffic/workloads/item_traffic.hpp>

namespace starloom {
namespace {

constexpr std::string_view columns_of_all = "cycle,source,destination,flits";
enum Column : std::size_t { cycle, source, destination, flits };
constexpr std::int64_t most_id = std::numeric_limits<std::int64_t>::max();

/// The numbers of the columns that not every file has; 0: the file has none.
struct Columns {
  std::string header;
  std::size_t count = flits + 1;
  std::size_t id = 0, after = 0, delay = 0, traffic_class = 0, flow = 0, deadline = 0, subnet = 0;

  /// Packets wait for others, or have names or deadlines.
  bool of_messages() const { return (id | after | delay | flow | deadline) != 0; }
};

struct NamedColumn {
  std::string_view name;
  std::size_t Columns::*number;
};
constexpr NamedColumn further_columns[] = {{"id", &Columns::id},        {"after", &Columns::after},
                                           {"delay", &Columns::delay},  {"class", &Columns::traffic_class},
                                           {"flow", &Columns::flow},    {"deadline", &Columns::deadline},
                                           {"subnet", &Columns::subnet}};

/// The error in the number of a subnet.
std::optional<std::string> subnet_error(std::string_view text, int subnets) {
  const auto error = integer_error(text, 0, subnets - 1);
  if (!error || !parse_integer(text) || subnets > 1) return error;
  return *error + ", because the network has no subnets; set network.subnets";
}

/// Processors count the requests of a class in its subnet.
std::optional<std::string> other_subnet_error(const TrafficContext& context, std::int64_t number, std::int64_t subnet) {
  if (context.classes.empty()) return std::nullopt;
  const ClassPattern& own = context.classes[static_cast<std::size_t>(number)];
  if (!own.reply || own.reply->places == 0 || subnet == own.subnet) return std::nullopt;
  return std::to_string(subnet) + " is not " + std::to_string(own.subnet.value_or(0)) + ", the subnet of class " +
         own.name + ", which has reply.places";
}

/// Reads the rows of a packet file as items. Columns that a file has not leave an item's facts at their defaults.
class PacketRows {
 public:
  PacketRows(DataFile& file, const TrafficContext& context) : file_(file), context_(context) {}

  /// \throws DataFileError if the header is wrong, because the meaning of the columns is unknown.
  void read_header(std::string_view line);
  void read_row(std::size_t number, std::string_view line);
  /// Finds the rows that others wait for. Called once, after all rows.
  void connect();

  const Columns& columns() const { return columns_; }
  const std::vector<Item>& items() const { return items_; }
  /// \throws DataFileError if items wait for each other.
  std::shared_ptr<const ItemGraph> graph();

 private:
  /// A row of an item that waits for another one.
  struct Wait {
    std::int64_t id;  ///< of the other one
    ItemNumber item;
    std::uint32_t place;
    std::size_t column;
  };

  bool check(std::size_t column, const char* name, const std::optional<std::string>& error);
  std::int64_t number(std::size_t column) const { return *parse_integer(cells_[column].text); }
  bool has(std::size_t column) const { return column != 0 && !cells_[column].text.empty(); }
  std::int64_t read_id(ItemNumber item);
  void read_after(const CsvCell& cell, ItemNumber item);
  std::int32_t flow_number(std::string_view name);
  std::string text_of(ItemNumber item) const;

  DataFile& file_;
  const TrafficContext& context_;
  Columns columns_;
  std::vector<Item> items_;
  std::vector<Wait> waits_;
  std::vector<Dependency> dependencies_;
  std::vector<std::string> flows_;
  std::unordered_map<std::string, std::int32_t> flow_numbers_;
  std::unordered_map<std::int64_t, ItemNumber> by_id_;
  // The row that is read:
  std::size_t line_ = 0;
  std::vector<CsvCell> cells_;
};

void PacketRows::read_header(std::string_view line) {
  const std::vector<CsvCell> names = csv_cells(line);
  bool good = line.substr(0, columns_of_all.size()) == columns_of_all &&
              (line.size() == columns_of_all.size() || line[columns_of_all.size()] == ',');
  for (std::size_t number = flits + 1; good && number < names.size(); ++number) {
    const auto known = std::find_if(std::begin(further_columns), std::end(further_columns),
                                    [&](const NamedColumn& column) { return column.name == names[number].text; });
    good = known != std::end(further_columns) && columns_.*known->number == 0;
    if (good) columns_.*known->number = number;
  }
  if (!good)
    file_.add_error(1, 1,
                    "the header is " + std::string(columns_of_all) +
                        ", then any of id, after, delay, class, flow, deadline, subnet, not '" + std::string(line) +
                        "'");
  else if (columns_.after != 0 && columns_.id == 0)
    file_.add_error(1, names[columns_.after].column, "after needs the column id, which names the rows to wait for");
  else if (context_.to_all && columns_.of_messages())
    file_.add_error(
        1, names[flits + 1].column,
        "in pops networks packets do not wait for others; leave out all columns but " + std::string(columns_of_all));
  file_.stop_if_invalid();
  columns_.header = line;
  columns_.count = names.size();
}

bool PacketRows::check(std::size_t column, const char* name, const std::optional<std::string>& error) {
  if (error) file_.add_error(line_, cells_[column].column, (*name == 0 ? "" : std::string(name) + ": ") + *error);
  return !error;
}

void PacketRows::read_row(std::size_t line_number, std::string_view line) {
  line_ = line_number;
  cells_ = csv_cells(line);
  if (cells_.size() != columns_.count)
    return file_.add_error(line_, 1,
                           "a row has " + std::to_string(columns_.count) + " cells (" + columns_.header + "), not " +
                               std::to_string(cells_.size()));
  const NodeId nodes = context_.processors.count;
  const bool to_all = cells_[destination].text.empty();
  const auto item = static_cast<ItemNumber>(items_.size());
  bool good = check(cycle, "cycle", integer_error(cells_[cycle].text, 0, most_steps));
  good &= check(source, "source", node_error(cells_[source].text, nodes));
  if (!to_all) good &= check(destination, "destination", node_error(cells_[destination].text, nodes));
  else if (!context_.to_all)
    good = check(destination, "", "an empty destination is a broadcast, and broadcast needs pops");
  good &= check(flits, "flits",
                integer_error(cells_[flits].text, columns_.id != 0 ? 0 : 1, std::numeric_limits<std::int32_t>::max()));
  const bool is_event = columns_.id != 0 && parse_integer(cells_[flits].text) == std::int64_t{0};
  if (is_event && good && number(source) != number(destination))
    good =
        check(destination, "destination",
              std::to_string(number(destination)) + " is not the source, but a row of 0 flits is an event at one node");
  if (is_event && !has(columns_.id)) good = check(columns_.id, "id", "a row of 0 flits is an event, which needs an id");
  Item read;
  read.line = static_cast<std::uint32_t>(line_number);
  if (has(columns_.id)) read.id = read_id(item);
  if (has(columns_.delay))
    good &= check(columns_.delay, "delay", integer_error(cells_[columns_.delay].text, 0, most_steps));
  if (has(columns_.deadline))
    good &= check(columns_.deadline, "deadline", integer_error(cells_[columns_.deadline].text, 1, most_steps));
  if (columns_.traffic_class != 0)
    good &= check(columns_.traffic_class, "class", class_error(cells_[columns_.traffic_class].text, context_.classes));
  if (columns_.subnet != 0)
    good &= check(columns_.subnet, "subnet", subnet_error(cells_[columns_.subnet].text, context_.subnets));
  if (columns_.after != 0) read_after(cells_[columns_.after], item);
  if (good) {
    read.source = static_cast<NodeId>(number(source));
    read.destination = to_all ? no_node : static_cast<NodeId>(number(destination));
    read.flits = static_cast<std::int32_t>(number(flits));
    read.cycle = number(cycle);
    if (has(columns_.delay)) read.delay = number(columns_.delay);
    if (has(columns_.deadline)) read.deadline = number(columns_.deadline);
    if (has(columns_.flow)) read.flow = flow_number(cells_[columns_.flow].text);
    if (columns_.traffic_class != 0)
      read.traffic_class =
          static_cast<std::uint8_t>(*class_number(cells_[columns_.traffic_class].text, context_.classes));
    if (columns_.subnet != 0) {
      read.subnet = static_cast<std::int8_t>(number(columns_.subnet));
      check(columns_.subnet, "subnet", other_subnet_error(context_, read.traffic_class, read.subnet));
    }
  }
  items_.push_back(read);
}

/// Returns -1 after an error.
std::int64_t PacketRows::read_id(ItemNumber item) {
  if (!check(columns_.id, "id", integer_error(cells_[columns_.id].text, 0, most_id))) return -1;
  const std::int64_t id = number(columns_.id);
  const auto [known, is_new] = by_id_.emplace(id, item);
  if (is_new) return id;
  check(columns_.id, "id", std::to_string(id) + " is the id of line " + std::to_string(items_[known->second].line));
  return -1;
}

void PacketRows::read_after(const CsvCell& cell, ItemNumber item) {
  if (cell.text.empty()) return;
  std::uint32_t place = 0;
  for (std::size_t start = 0; start <= cell.text.size();) {
    const std::size_t end = std::min(cell.text.find(' ', start), cell.text.size());
    const std::string_view id = cell.text.substr(start, end - start);
    const std::size_t column = cell.column + start;
    if (const auto error = integer_error(id, 0, most_id)) file_.add_error(line_, column, "after: " + *error);
    else waits_.push_back({*parse_integer(id), item, place++, column});
    start = end + 1;
  }
}

std::int32_t PacketRows::flow_number(std::string_view name) {
  const auto [known, is_new] = flow_numbers_.emplace(name, static_cast<std::int32_t>(flows_.size()));
  if (is_new) flows_.emplace_back(name);
  return known->second;
}

void PacketRows::connect() {
  for (const Wait& wait : waits_) {
    const auto awaited = by_id_.find(wait.id);
    if (awaited != by_id_.end()) dependencies_.push_back({awaited->second, wait.item, wait.place});
    else
      file_.add_error(items_[wait.item].line, wait.column,
                      "after: " + std::to_string(wait.id) + " is not the id of a row");
  }
}

std::string PacketRows::text_of(ItemNumber item) const {
  return std::to_string(items_[item].id) + " (line " + std::to_string(items_[item].line) + ")";
}

std::shared_ptr<const ItemGraph> PacketRows::graph() {
  const std::vector<NodeId>& node_of = context_.processors.node;
  for (Item& item : items_)
    for (NodeId* end : {&item.source, &item.destination})
      if (!node_of.empty()) *end = node_of[static_cast<std::size_t>(*end)];
  auto graph = std::make_shared<const ItemGraph>(items_, dependencies_, flows_);
  const std::vector<ItemNumber> cycle = graph->shortest_cycle();
  if (cycle.empty()) return graph;
  std::string text = "cyclic dependency: " + text_of(cycle.front());
  for (std::size_t at = 1; at < cycle.size(); ++at) text += " after " + text_of(cycle[at]);
  file_.add_error(items_[cycle.front()].line, 1, text + " after " + std::to_string(items_[cycle.front()].id));
  file_.stop_if_invalid();
  return nullptr;
}

}  // namespace

std::unique_ptr<Traffic> read_packet_file(const TrafficContext& context, const std::string& name,
                                          std::int32_t longest_packet) {
  DataFile file(context.folder, name);
  PacketRows rows(file, context);
  file.each_line([&rows](std::size_t number, std::string_view line) {
    if (number == 1) rows.read_header(line);
    else if (!line.empty()) rows.read_row(number, line);
  });
  rows.connect();
  file.stop_if_invalid();
  if (longest_packet > 0 || rows.columns().of_messages())
    return std::make_unique<ItemTraffic>(rows.graph(), longest_packet);
  std::vector<Packet> packets;
  packets.reserve(rows.items().size());
  for (const Item& item : rows.items())
    packets.push_back(
        {item.source, item.destination, item.flits, item.cycle, false, item.traffic_class, 0, item.subnet});
  return std::make_unique<PacketList>(std::move(packets));
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/packet_file.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/parse_number.hpp>

namespace starloom {
namespace {

constexpr std::string_view columns_of_all = "cycle,source,destination,flits";
enum Column : std::size_t { cycle, source, destination, flits };

/// The columns of a file.
struct Header {
  std::string text;
  std::size_t traffic_class = 0, subnet = 0;  ///< the numbers of these columns; 0: the file has none
};

/// The header of this text, if there is one.
std::optional<Header> header_of(std::string_view line) {
  for (const bool has_class : {false, true})
    for (const bool has_subnet : {false, true}) {
      Header header{std::string(columns_of_all)};
      if (has_class) header.text += ",class";
      if (has_subnet) header.text += ",subnet";
      if (header.text != line) continue;
      if (has_class) header.traffic_class = flits + 1;
      if (has_subnet) header.subnet = flits + (has_class ? 2 : 1);
      return header;
    }
  return std::nullopt;
}

struct Cell {
  std::string_view text;
  std::size_t column;  ///< in the line, from 1
};

std::vector<Cell> split_cells(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back({line.substr(start, comma - start), start + 1});
    if (comma == line.size()) return cells;
    start = comma + 1;
  }
}

/// The error in a number of a cell that must be at least `least`; empty if there is none.
std::optional<std::string> number_error(std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return "'" + std::string(text) + "' is not an integer";
  if (*value < least) return std::to_string(*value) + " is less than " + std::to_string(least);
  if (*value > most) return std::to_string(*value) + " is more than " + std::to_string(most);
  return std::nullopt;
}

/// The error in the number of a class.
std::optional<std::string> class_error(std::string_view text, std::size_t classes) {
  const auto error = number_error(text, 0, static_cast<std::int64_t>(std::max<std::size_t>(classes, 1)) - 1);
  const auto value = parse_integer(text);
  if (!error || !value) return error;
  if (classes == 0) return *error + ", because the experiment has no traffic.classes";
  return *error + ", the number of the " + (*value < 0 ? "first" : "last") + " of traffic.classes";
}

/// The error in the number of a subnet.
std::optional<std::string> subnet_error(std::string_view text, int subnets) {
  const auto error = number_error(text, 0, subnets - 1);
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

std::optional<Packet> read_row(DataFile& file, std::size_t line_number, std::string_view line, const Header& header,
                               const TrafficContext& context) {
  const std::vector<Cell> cells = split_cells(line);
  if (const std::size_t count = split_cells(header.text).size(); cells.size() != count) {
    file.add_error(
        line_number, 1,
        "a row has " + std::to_string(count) + " cells (" + header.text + "), not " + std::to_string(cells.size()));
    return std::nullopt;
  }
  const NodeId nodes = context.processors.count;
  const bool to_all = cells[destination].text.empty();
  bool good = true;
  const auto check = [&](std::size_t column, const std::string& what, const std::optional<std::string>& error) {
    if (!error) return;
    file.add_error(line_number, cells[column].column, what + *error);
    good = false;
  };
  check(cycle, "cycle: ", number_error(cells[cycle].text, 0, most_steps));
  check(source, "source: ", node_error(cells[source].text, nodes));
  if (to_all && !context.to_all)
    check(destination, "", "an empty destination is a broadcast, and broadcast needs pops");
  if (!to_all) check(destination, "destination: ", node_error(cells[destination].text, nodes));
  check(flits, "flits: ", number_error(cells[flits].text, 1, std::numeric_limits<std::int32_t>::max()));
  if (const std::size_t column = header.traffic_class; column != 0)
    check(column, "class: ", class_error(cells[column].text, context.classes.size()));
  if (const std::size_t column = header.subnet; column != 0)
    check(column, "subnet: ", subnet_error(cells[column].text, context.subnets));
  if (good && header.subnet != 0) {
    const std::int64_t number = header.traffic_class == 0 ? 0 : *parse_integer(cells[header.traffic_class].text);
    check(header.subnet, "subnet: ", other_subnet_error(context, number, *parse_integer(cells[header.subnet].text)));
  }
  if (!good) return std::nullopt;
  const auto number = [&](std::size_t column) { return *parse_integer(cells[column].text); };
  Packet packet{static_cast<NodeId>(number(source)), to_all ? no_node : static_cast<NodeId>(number(destination)),
                static_cast<std::int32_t>(number(flits)), number(cycle)};
  if (header.traffic_class != 0) packet.traffic_class = static_cast<std::uint8_t>(number(header.traffic_class));
  if (header.subnet != 0) packet.subnet = static_cast<std::int8_t>(number(header.subnet));
  return packet;
}

}  // namespace

std::vector<Packet> read_packet_file(const TrafficContext& context, const std::string& name) {
  DataFile file(context.folder, name);
  const std::string_view text = file.text();
  std::vector<Packet> packets;
  std::size_t line_number = 0;
  std::optional<Header> header;
  for (std::size_t start = 0; start < text.size() || line_number == 0;) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    start = end + 1;
    if (++line_number == 1) {
      header = header_of(line);
      if (header) continue;
      file.add_error(
          1, 1, "the header is " + std::string(columns_of_all) + "[,class][,subnet], not '" + std::string(line) + "'");
      file.stop_if_invalid();
    }
    if (line.empty()) continue;
    if (const auto packet = read_row(file, line_number, line, *header, context)) packets.push_back(*packet);
  }
  file.stop_if_invalid();
  return packets;
}

}  // namespace starloom

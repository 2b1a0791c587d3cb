// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/packets_csv.hpp>

#include <limits>
#include <stdexcept>
#include <string>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom {
namespace {

constexpr std::string_view header = "packet,source,destination,flits,created,delivered";
constexpr std::string_view header_with_injected = "packet,source,destination,flits,created,delivered,injected";
constexpr std::string_view header_with_class = "packet,source,destination,flits,created,delivered,injected,class";
constexpr std::string_view header_with_subnet = "packet,source,destination,flits,created,delivered,injected,subnet";
constexpr std::string_view header_with_both = "packet,source,destination,flits,created,delivered,injected,class,subnet";
constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();

}  // namespace

void write_packets(const std::filesystem::path& file, const Packets& packets, const std::vector<Step>& delivered,
                   const std::optional<std::vector<Step>>& injected, const PacketColumns& columns) {
  if (packets.size() != delivered.size() || (injected && packets.size() != injected->size()))
    throw std::invalid_argument("there are not as many steps as packets");
  TextWriter out(file);
  const bool with_class = injected && columns.classes, with_subnet = injected && columns.subnets;
  out << (with_class && with_subnet ? header_with_both
          : with_class              ? header_with_class
          : with_subnet             ? header_with_subnet
          : injected                ? header_with_injected
                                    : header)
      << '\n';
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const Packet packet = packets[i];
    if (!packet.exists()) continue;
    out << static_cast<std::int64_t>(i) << ',' << packet.source << ',';
    if (is_group(packet.destination)) out << destination_text(packet.destination, columns.groups);
    else if (packet.destination != no_node) out << packet.destination;
    out << ',' << packet.flits << ',' << packet.created << ',';
    if (delivered[i] != no_step) out << delivered[i];
    if (injected) {
      out << ',';
      if ((*injected)[i] != no_step) out << (*injected)[i];
    }
    if (with_class) out << ',' << static_cast<std::int64_t>(packet.traffic_class);
    if (with_subnet) out << ',' << static_cast<std::int64_t>(packet.subnet);
    out << '\n';
  }
  out.close();
}

PacketTable read_packets(const std::filesystem::path& file, Numbering numbering) {
  CsvReader csv(file, {header, header_with_injected, header_with_class, header_with_subnet, header_with_both});
  const bool with_class = csv.header() == 2 || csv.header() == 4, with_subnet = csv.header() >= 3;
  PacketTable table;
  if (csv.header() > 0) table.injected.emplace();
  while (csv.next_line()) {
    const std::size_t number = numbering.next(csv, "packet", table.packets.size());
    table.packets.resize(number, missing_packet);
    table.delivered.resize(number, no_step);
    if (table.injected) table.injected->resize(number, no_step);
    Packet packet;
    packet.number = static_cast<PacketId>(number);
    packet.source = static_cast<NodeId>(csv.number(max_id));
    packet.destination = table.destinations.read(csv, packet.source);
    packet.flits = static_cast<std::int32_t>(csv.number(max_id));
    if (packet.flits == 0) csv.fail("a packet has at least one flit");
    packet.created = csv.number(most_steps);
    table.delivered.push_back(csv.number_or_empty(most_steps));
    if (table.injected) table.injected->push_back(csv.number_or_empty(most_steps));
    if (with_class) packet.traffic_class = static_cast<std::uint8_t>(csv.number(most_classes - 1));
    if (with_subnet) packet.subnet = static_cast<std::int8_t>(csv.number(most_subnets - 1));
    table.packets.push_back(packet);
  }
  return table;
}

}  // namespace starloom

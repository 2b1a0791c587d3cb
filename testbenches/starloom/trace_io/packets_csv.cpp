// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/packets_csv.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom {
namespace {

using links::loss_cause_names;

/// The columns that not all files have.
struct Columns {
  bool injected = false, classes = false, subnets = false, lost = false, attempts = false;
};

std::string header_of(const Columns& columns) {
  std::string header = "packet,source,destination,flits,created,delivered";
  if (columns.injected) header += ",injected";
  if (columns.classes) header += ",class";
  if (columns.subnets) header += ",subnet";
  if (columns.lost) header += ",lost,at";
  if (columns.attempts) header += ",attempt_of";
  return header;
}

/// Classes, subnets and attempts need virtual channels.
constexpr Columns all_columns[] = {{},
                                   {true},
                                   {true, true},
                                   {true, false, true},
                                   {true, true, true},
                                   {false, false, false, true},
                                   {true, false, false, true},
                                   {true, true, false, true},
                                   {true, false, true, true},
                                   {true, true, true, true},
                                   {true, false, false, true, true},
                                   {true, true, false, true, true},
                                   {true, false, true, true, true},
                                   {true, true, true, true, true}};

constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();

void read_loss(CsvReader& csv, PacketId packet, links::Losses& lost) {
  const std::string cause(csv.cell());
  const Step at = csv.number_or_empty(most_steps);
  if (cause.empty() && at == no_step) return;
  const auto* const found = std::find(std::begin(loss_cause_names), std::end(loss_cause_names), cause);
  if (found == std::end(loss_cause_names)) csv.fail(cause + " is not a cause of a loss");
  if (at == no_step) csv.fail("a lost packet has a step");
  lost[packet] = {static_cast<links::LossCause>(found - std::begin(loss_cause_names)), at};
}

/// An attempt follows the first one.
void read_attempt(CsvReader& csv, PacketTable& table, PacketId packet) {
  const Step first = csv.number_or_empty(max_id);
  if (first == no_step) return;
  if (first >= packet || !table.has(first) || table.attempts->count(static_cast<PacketId>(first)) > 0)
    csv.fail("packet " + std::to_string(first) + " is not the first attempt of packet " + std::to_string(packet));
  table.attempts->emplace(packet, static_cast<PacketId>(first));
}

}  // namespace

void write_packets(const std::filesystem::path& file, const Packets& packets, const std::vector<Step>& delivered,
                   const std::optional<std::vector<Step>>& injected, const PacketColumns& columns) {
  if (packets.size() != delivered.size() || (injected && packets.size() != injected->size()))
    throw std::invalid_argument("there are not as many steps as packets");
  TextWriter out(file);
  const bool with_class = injected && columns.classes, with_subnet = injected && columns.subnets;
  out << header_of(
             {injected.has_value(), with_class, with_subnet, columns.lost != nullptr, columns.attempts != nullptr})
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
    if (columns.lost != nullptr) {
      const auto found = columns.lost->find(static_cast<PacketId>(i));
      if (found == columns.lost->end()) out << ",,";
      else out << ',' << loss_cause_names[static_cast<std::size_t>(found->second.cause)] << ',' << found->second.at;
    }
    if (columns.attempts != nullptr) {
      out << ',';
      const auto found = columns.attempts->find(static_cast<PacketId>(i));
      if (found != columns.attempts->end()) out << found->second;
    }
    out << '\n';
  }
  out.close();
}

void leave_out_lost_when_created(PacketTable& table) {
  if (!table.lost) return;
  for (const auto& [number, loss] : *table.lost)
    if (Packet& packet = table.packets[static_cast<std::size_t>(number)]; loss.at == packet.created)
      packet = missing_packet;
}

PacketTable read_packets(const std::filesystem::path& file, Numbering numbering) {
  std::vector<std::string> headers;
  for (const Columns& columns : all_columns) headers.push_back(header_of(columns));
  CsvReader csv(file, {headers.begin(), headers.end()});
  const Columns columns = all_columns[csv.header()];
  PacketTable table;
  if (columns.injected) table.injected.emplace();
  if (columns.lost) table.lost.emplace();
  if (columns.attempts) table.attempts.emplace();
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
    if (columns.classes) packet.traffic_class = static_cast<std::uint8_t>(csv.number(most_classes - 1));
    if (columns.subnets) packet.subnet = static_cast<std::int8_t>(csv.number(most_subnets - 1));
    if (columns.lost) read_loss(csv, packet.number, *table.lost);
    if (columns.attempts) read_attempt(csv, table, packet.number);
    table.packets.push_back(packet);
  }
  return table;
}

}  // namespace starloom

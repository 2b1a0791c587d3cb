// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/message_table.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {

MessageTable::MessageTable(const std::filesystem::path& file, PacketTable& packets, Numbering numbering)
    : rows_(read_messages(file, numbering, packets.destinations)) {
  const std::vector<Packet>& list = packets.packets;
  std::size_t packet = 0;
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    const MessageRow& message = rows_[number];
    if (numbering.has_gaps()) packet = number;
    const auto belongs = [&message](const Packet& one) {
      return one.source == message.source && one.destination == message.destination && one.created == message.created;
    };
    // Packets of no message are before those of later messages.
    if (!numbering.has_gaps())
      while (packet < list.size() && !belongs(list[packet])) ++packet;
    first_.push_back(packet);
    std::int64_t left = message.flits;
    for (; left > 0 && packet < list.size() && belongs(list[packet]); ++packet) left -= list[packet].flits;
    count_.push_back(packet - first_.back());
    if (left != 0)
      throw InputError(file.string() + ": message " + std::to_string(number) +
                       " does not have its packets in packets.csv");
    if (message.released_by >= 0 && rows_[static_cast<std::size_t>(message.released_by)].delivered == no_step)
      throw InputError(file.string() + ": message " + std::to_string(number) + " is released by message " +
                       std::to_string(message.released_by) + ", which was not delivered");
  }
}

std::int64_t MessageTable::of_packet(std::size_t packet) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), packet);
  if (after == first_.begin()) return -1;
  const auto message = static_cast<std::size_t>(after - first_.begin()) - 1;
  return packet < first_[message] + count_[message] ? static_cast<std::int64_t>(message) : -1;
}

std::size_t MessageTable::last_packet(std::size_t message, const PacketTable& packets) const {
  const auto first = packets.delivered.begin() + static_cast<std::ptrdiff_t>(first_[message]);
  const auto end = first + static_cast<std::ptrdiff_t>(count_[message]);
  const auto earlier = [](Step a, Step b) { return a != no_step && (b == no_step || a < b); };
  return static_cast<std::size_t>(std::max_element(first, end, earlier) - packets.delivered.begin());
}

}  // namespace starloom::links

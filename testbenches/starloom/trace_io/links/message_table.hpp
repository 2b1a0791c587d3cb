// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a run, with the packets of each (docs/workloads.md).
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/trace_io/packets_csv.hpp>

namespace starloom::links {

/// The packets of a message have successive numbers, and those of a later message have greater ones.
class MessageTable {
 public:
  /// Reads `messages.csv`. \param numbering if it has gaps, a message is the packet of its number.
  /// \throws InputError if the file cannot be read, if a message does not have its packets in `packets.csv`,
  /// or if it is released by one that was not delivered
  MessageTable(const std::filesystem::path& file, PacketTable& packets, Numbering numbering);

  std::size_t size() const { return rows_.size(); }
  /// A row that does not exist where no message has that number.
  const MessageRow& operator[](std::size_t message) const { return rows_[message]; }
  std::size_t first_packet(std::size_t message) const { return first_[message]; }
  std::size_t packet_count(std::size_t message) const { return count_[message]; }
  /// The message of a packet; -1: it is of none, as a reply in open loop.
  std::int64_t of_packet(std::size_t packet) const;
  /// The packet of a message that was delivered last, of equals the first; one that was not delivered is the last.
  std::size_t last_packet(std::size_t message, const PacketTable& packets) const;

 private:
  std::vector<MessageRow> rows_;
  std::vector<std::size_t> first_;  ///< [message] packet; where it has none, that of the next message
  std::vector<std::size_t> count_;  ///< [message] of packets
};

}  // namespace starloom::links

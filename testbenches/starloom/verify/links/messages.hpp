// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload in an output folder, checked by its packets and rows.
#include <filesystem>
#include <optional>
#include <vector>

#include <starloom/referee/links/referee.hpp>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/message_table.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

class RunMessages {
 public:
  /// Reads `messages.csv` and `critical_path.csv`. Packets of no message are marked as replies.
  /// \param table outlives the object. \param closed_loop messages of the class `reply` are replies, too.
  /// \throws InputError as MessageTable, and for `critical_path.csv`
  RunMessages(const std::filesystem::path& folder, PacketTable& table, Numbering numbering, bool closed_loop);

  /// Announces all messages, each with those that it released. Called before the packets are announced.
  void announce_to(Referee& referee) const;
  /// Calls `visit(message, its first packet, number of packets)` for each message, in the order of numbers.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t number = 0; number < messages_.size(); ++number)
      if (messages_[number].exists())
        visit(messages_[number], messages_.first_packet(number), messages_.packet_count(number));
  }
  /// Those of messages to several destinations.
  const std::vector<MulticastGroup>& groups() const { return table_.destinations.groups(); }
  /// Compares deliveries with those of the packets, and the metrics of the section `workload`.
  void compare(Comparison& comparison, const RunFacts& facts) const;

 private:
  void compare_closed_loop(Comparison& comparison, const RunFacts& facts) const;
  void compare_critical_path(Comparison& comparison) const;

  const PacketTable& table_;
  MessageTable messages_;
  std::vector<CriticalMessage> critical_path_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload in an output folder, checked by its packets and rows.
#include <filesystem>
#include <optional>
#include <vector>

#include <starloom/referee/links/referee.hpp>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

class RunMessages {
 public:
  /// Reads `messages.csv` and `critical_path.csv`, and finds the packets of each message; those of no message are
  /// marked as replies.
  /// \param table outlives the object. \param numbering if it has gaps, a message is the packet of its number.
  /// \throws InputError if the file cannot be read, or if a message does not have its
  /// packets in `packets.csv`.
  /// \param closed_loop messages of the class `reply` are replies, too.
  RunMessages(const std::filesystem::path& folder, PacketTable& table, Numbering numbering, bool closed_loop);

  /// Announces all messages, each with those that it released. Called before the packets are announced.
  void announce_to(Referee& referee) const;
  /// Calls `visit(message, its first packet, number of packets)` for each message, in the order of numbers.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t number = 0; number < messages_.size(); ++number)
      if (messages_[number].exists()) visit(messages_[number], first_[number], count_[number]);
  }
  /// Compares deliveries with those of the packets, and the metrics of the section `workload`.
  void compare(Comparison& comparison, const RunFacts& facts) const;

 private:
  void compare_closed_loop(Comparison& comparison, const RunFacts& facts) const;
  void compare_critical_path(Comparison& comparison) const;

  const PacketTable& table_;
  std::vector<MessageRow> messages_;
  std::vector<CriticalMessage> critical_path_;
  std::vector<std::size_t> first_;  ///< [message] packet, and the end of the last one's
  std::vector<std::size_t> count_;  ///< [message] of packets
};

}  // namespace starloom::links

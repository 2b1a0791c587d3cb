// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets that processors send again because they may not have arrived (docs/link-errors.md).
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/run_record.hpp>

namespace starloom::links {

/// The packets of a run that are attempts to deliver an earlier one, which is their first attempt.
class Attempts {
 public:
  /// \param most attempts of a packet, the first one included.
  explicit Attempts(int most) : most_(most) {}

  /// The next attempt of a packet, which is a first attempt and has a lower number.
  void add(PacketId attempt, PacketId first);
  /// The first attempt: the packet itself, unless it is a later one.
  PacketId first_of(PacketId packet) const;
  bool is_later(PacketId packet) const { return first_.count(packet) > 0; }
  /// The attempts of a packet after the first one, in order.
  const std::vector<PacketId>& later_of(PacketId first) const;
  /// The last attempt of a packet so far.
  PacketId last_of(PacketId first) const { return later_of(first).empty() ? first : later_of(first).back(); }
  /// True if a packet has no further attempt.
  bool are_used_up(PacketId first) const { return static_cast<int>(later_of(first).size()) + 1 >= most_; }
  /// [later attempt] The first one.
  const std::map<PacketId, PacketId>& firsts() const { return first_; }
  int most() const { return most_; }

  /// The fate of a packet, all its attempts together.
  struct Fate {
    PacketId arrived = no_packet;  ///< the attempt that was the first to arrive
    std::optional<Loss> lost{};    ///< that of the last attempt, if none has arrived and none follows
    std::int64_t duplicates = 0;   ///< attempts that have arrived after another one
  };
  /// \param delivered, injected [packet] steps, no_step for those that have not been. \param lost attempts.
  Fate fate_of(PacketId first, const std::vector<Step>& delivered, const std::vector<Step>& injected,
               const Losses& lost) const;
  Fate fate_of(PacketId first, const RunRecord& record) const {
    return fate_of(first, record.delivered, record.injected, record.lost);
  }
  /// True if a first attempt is neither delivered nor lost, all its attempts together.
  bool is_left(PacketId packet, const RunRecord& record) const;

 private:
  int most_;
  std::map<PacketId, PacketId> first_;
  std::map<PacketId, std::vector<PacketId>> later_;  ///< [first attempt]
};

/// True if a packet is neither delivered nor lost. A later attempt is not a packet of its own.
/// \param attempts null: no packet has several
inline bool is_left(PacketId packet, const RunRecord& record, const Attempts* attempts) {
  return attempts == nullptr ? record.is_left(record.at(packet)) : attempts->is_left(packet, record);
}

/// Packets and their fates by number, as RunRecord has them.
struct PacketFates {
  std::vector<Packet>& packets;
  std::vector<Step>& delivered;
  const std::vector<Step>& injected;
  Losses& lost;
};

/// Gives each first attempt the fate of its packet, and turns later attempts into packets that do not exist. Returns
/// the number of duplicates.
std::int64_t leave_first_attempts(const PacketFates& of_attempts, const Attempts& attempts);

/// The record of a run in which only first attempts are packets. Counts of flits are those of all attempts.
RunRecord of_first_attempts(RunRecord record, const Attempts& attempts);

}  // namespace starloom::links

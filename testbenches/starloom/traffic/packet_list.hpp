// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Traffic that is known before the run: permutations, functions, packet files.
#include <starloom/topology/processors.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// A list of packets, created in the steps of the list.
class PacketList final : public Traffic {
 public:
  /// Packets in the order of the input; they are sorted by (created, source), equal ones stay in order.
  explicit PacketList(std::vector<Packet> packets, bool preloaded = false);
  /// Packets in sorted order.
  explicit PacketList(Packets packets) : packets_(std::move(packets)) {}

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  /// Exact.
  Step next_creation(Step from) const override;
  std::optional<Step> end() const override;
  const Packets* packets() const override { return &packets_; }
  bool preloaded() const override { return preloaded_; }

 private:
  Packets::Iterator first_from(Step step) const;

  Packets packets_;
  bool preloaded_ = false;
};

/// One packet for every node that has a destination, all created in step 0. Lengths are random as with open-loop
/// sources.
Packets packets_of(Destinations destinations, const PacketLengths& lengths, std::uint64_t seed,
                   std::uint32_t first_word = 0);

}  // namespace starloom

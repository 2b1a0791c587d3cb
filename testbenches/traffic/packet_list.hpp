#pragma once
/// \file Traffic that is known before the run: permutations, functions, packet files.
#include <starloom/traffic/destinations.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// A list of packets, created when the list says.
class PacketList final : public Traffic {
 public:
  /// Packets in the order of the input; they are put in order by (created, source), equal ones stay in order.
  explicit PacketList(std::vector<Packet> packets);

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  /// Exact.
  Step next_creation(Step from) const override;
  std::optional<Step> end() const override;

 private:
  std::vector<Packet>::const_iterator first_from(Step step) const;

  std::vector<Packet> packets_;
};

/// One packet for every node that has a destination, all created in step 0. Lengths are drawn as open-loop sources do.
std::vector<Packet> packets_of(const Destinations& destinations, const PacketLengths& lengths, std::uint64_t seed);

}  // namespace starloom

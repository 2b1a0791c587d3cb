// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counts and packet times of a run, from any engine.
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/core/links/buffer_use.hpp>
#include <starloom/core/links/losses.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/schedule.hpp>

namespace starloom::links {

/// The most packets that a node held at the end of a step: the earliest such step, then the lowest node.
struct QueueMaximum {
  std::int64_t max = 0;
  NodeId node = no_node;  ///< no_node and no_step while max is 0
  Step step = no_step;

  void update(std::int64_t count, NodeId at, Step end_of) {
    if (count < max || count == 0) return;
    if (count == max && (end_of > step || (end_of == step && at >= node))) return;
    max = count;
    node = at;
    step = end_of;
  }
};

/// Flits that the ports of a network have taken.
struct PortFlits {
  std::vector<std::int64_t> links;  ///< [node * ports + out-port] that entered the link
  /// [node] flits that its router took from its processor, and gave to it: at most one each per step; 0 for terminals,
  /// whose local ports are links. Empty where a processor sends and receives any number of flits in a step.
  std::vector<std::int64_t> from_processor, to_processor;
};

/// Crossings of links with errors.
struct ErrorCounts {
  std::int64_t corrupt = 0;   ///< crossings, those that their receivers ignore included
  std::int64_t nacks = 0;     ///< corrupt ones of which the sender learns
  std::int64_t resends = 0;   ///< crossings of flits that have entered the link before
  std::int64_t discards = 0;  ///< crossings whose flit its receiver does not accept

  ErrorCounts& operator+=(const ErrorCounts& more) {
    corrupt += more.corrupt;
    nacks += more.nacks;
    resends += more.resends;
    discards += more.discards;
    return *this;
  }
  friend bool operator==(const ErrorCounts& a, const ErrorCounts& b) {
    return a.corrupt == b.corrupt && a.nacks == b.nacks && a.resends == b.resends && a.discards == b.discards;
  }
};

/// Raw counts of a run on a network of links. All packets that were created are listed, delivered or not, except those
/// below `first`: these were all delivered, and metrics have their sums (PacketSums). Records of a netrace file keep
/// their numbers, so a run that ends early may have numbers between others that no packet has (`missing_packet`).
struct RunRecord {
  PacketId first = 0;           ///< the first packet that is listed
  std::int64_t missing = 0;     ///< numbers that are listed, but no packet has
  std::vector<Packet> packets;  ///< [packet - first], and so are the lists by packet below
  std::vector<Step> delivered;  ///< [packet - first], no_step if it is not (yet) delivered
  Losses lost{};                ///< of the listed packets
  /// [packet - first] links that its first flit has crossed up to where it was consumed or stored last; empty: not
  /// recorded.
  std::vector<std::int32_t> hops{};
  std::vector<std::int64_t> link_load;  ///< [node * ports + out-port], flit hops of packets
  std::int64_t flit_hops = 0;
  std::int64_t control_hops = 0;  ///< keys, tokens, acknowledgements
  std::int64_t delivered_count = 0;
  std::int64_t own_count = 0;  ///< delivered ones that crossed no router, because their source is their destination
  std::array<std::int64_t, std::size(loss_cause_names)> lost_by_cause{};  ///< of all packets
  std::int64_t lost_count = 0;
  std::int64_t flits_created = 0;
  std::int64_t flits_lost = 0;       ///< of lost packets, those that were not consumed
  std::int64_t flits_dropped = 0;    ///< of them, those that vanished in the network
  std::int64_t duplicates = 0;       ///< attempts that arrived after another one of their packet
  ErrorCounts errors{};              ///< of links that repeat corrupt flits
  std::vector<Step> drains{};        ///< steps from which on processors began no packet, until the next of `reroutes`
  std::vector<Step> reroutes{};      ///< steps in which routing functions learned of dead or repaired hardware
  std::int64_t flits_delivered = 0;  ///< of all packets, also of those of which flits are still missing
  std::vector<std::int64_t> class_flits_delivered{};  ///< [class of traffic] the same; empty: there are none
  /// [packet - first] the step in which its first flit left its processor, no_step if none has; empty: not recorded.
  std::vector<Step> injected{};
  QueueMaximum queue;
  Step steps_run = 0;                     ///< steps executed or skipped
  std::map<std::string, double> metrics;  ///< counted by the algorithm's controllers
  std::optional<Schedule> schedule{};     ///< if only the controllers know it
  std::optional<ChannelUse> use{};        ///< virtual channels: of the measured steps
  std::int64_t activations = 0;           ///< controller runs, for `timing.json` (depends on wake-ups, not on results)

  /// The index of a packet in the lists.
  std::size_t at(PacketId packet) const { return static_cast<std::size_t>(packet - first); }
  /// True if the packet at an index is neither delivered nor lost.
  bool is_left(std::size_t index) const {
    return delivered[index] == no_step && (lost.empty() || lost.count(first + static_cast<PacketId>(index)) == 0);
  }
  /// Packets that are neither delivered nor lost.
  std::int64_t left_count() const { return created_count() - delivered_count - lost_count; }
  /// The first number behind those that are listed.
  std::int64_t end() const { return first + static_cast<std::int64_t>(packets.size()); }
  std::int64_t created_count() const { return end() - missing; }
};

}  // namespace starloom::links

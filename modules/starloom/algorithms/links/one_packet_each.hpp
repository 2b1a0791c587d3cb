// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requirements of algorithms that serve one packet from a node, or to a node, all created in step 0.
#include <string>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {

/// `serves`: the rest of the error text, e.g. "product plans for". \throws InputError if packet `p` is created after
/// step 0
inline void check_created_at_once(const std::vector<Packet>& packets, std::size_t p, const std::string& serves) {
  if (packets[p].created != 0)
    throw InputError("packet " + std::to_string(p) + " is created in step " + std::to_string(packets[p].created) +
                     "; " + serves + " packets that are all created in step 0");
}

/// True if two of the packets have the same source.
inline bool several_of_one_source(NodeId nodes, const std::vector<Packet>& packets) {
  std::vector<bool> sends(static_cast<std::size_t>(nodes));
  for (const Packet& packet : packets) {
    if (sends[static_cast<std::size_t>(packet.source)]) return true;
    sends[static_cast<std::size_t>(packet.source)] = true;
  }
  return false;
}

/// `serves` as above. \throws InputError if two of the packets have the same source, or one is created after step 0.
inline void check_one_packet_each(const Grid& topology, const std::vector<Packet>& packets, const std::string& serves) {
  std::vector<PacketId> of_source(static_cast<std::size_t>(topology.nodes()), no_packet);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Packet& packet = packets[p];
    check_created_at_once(packets, p, serves);
    PacketId& first = of_source[static_cast<std::size_t>(packet.source)];
    if (first != no_packet)
      throw InputError("packet " + std::to_string(p) + " has the source of packet " + std::to_string(first) + ", " +
                       topology.node_name(packet.source) + "; " + serves + " one packet per node");
    first = static_cast<PacketId>(p);
  }
}

/// \throws InputError if the packets of a run are not known before it. `algorithm` begins the sentence.
inline const std::vector<Packet>& known_packets(const AlgorithmContext& context, const std::string& algorithm) {
  if (context.packets == nullptr)
    throw InputError(algorithm + " follows one schedule, so its traffic must end: choose a pattern without rate");
  return *context.packets;
}

/// The number of flits of every packet; 1 if there are no packets. `serves` as above.
/// \throws InputError if they differ.
inline std::int32_t flits_of_each(const std::vector<Packet>& packets, const std::string& serves) {
  for (std::size_t p = 0; p < packets.size(); ++p)
    if (packets[p].flits != packets.front().flits)
      throw InputError("packet " + std::to_string(p) + " has " + std::to_string(packets[p].flits) +
                       " flits, packet 0 has " + std::to_string(packets.front().flits) + "; " + serves +
                       " worms of one length");
  return packets.empty() ? 1 : packets.front().flits;
}

/// \throws InputError if the sides of a grid differ. `algorithm` begins the sentence.
inline void check_equal_sides(const Grid& grid, const std::string& algorithm) {
  for (int axis = 1; axis < grid.dimensions(); ++axis)
    if (grid.side(axis) != grid.side(0)) throw InputError(algorithm + " needs a torus whose sides are all equal");
}

/// True if no two of the packets have the same destination.
inline bool is_permutation(NodeId nodes, const std::vector<Packet>& packets) {
  std::vector<bool> receives(static_cast<std::size_t>(nodes));
  for (const Packet& packet : packets) {
    if (receives[static_cast<std::size_t>(packet.destination)]) return false;
    receives[static_cast<std::size_t>(packet.destination)] = true;
  }
  return true;
}

/// `serves` as above. \throws InputError if two of the packets have the same destination.
inline void check_one_packet_to_each(const Grid& topology, const std::vector<Packet>& packets,
                                     const std::string& serves) {
  std::vector<PacketId> of_destination(static_cast<std::size_t>(topology.nodes()), no_packet);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    PacketId& first = of_destination[static_cast<std::size_t>(packets[p].destination)];
    if (first != no_packet)
      throw InputError("packet " + std::to_string(p) + " has the destination of packet " + std::to_string(first) +
                       ", " + topology.node_name(packets[p].destination) + "; " + serves +
                       " partial permutations: one packet per destination");
    first = static_cast<PacketId>(p);
  }
}

}  // namespace starloom::links

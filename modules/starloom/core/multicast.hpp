// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets to several destinations, of which routers make copies where their paths part.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// The source and the destinations of packets.
struct MulticastGroup {
  NodeId source = no_node;
  std::vector<NodeId> destinations;  ///< ascending, without the source
  std::int32_t longest = 1;          ///< flits of its longest packet
};

/// A packet of a group has a negative number in the place of its destination.
inline constexpr bool is_group(NodeId destination) { return destination < no_node; }
/// That of the group with this index in the list of a run.
inline constexpr NodeId group_destination(std::size_t index) { return no_node - 1 - static_cast<NodeId>(index); }
/// The index of the group of a packet. \param destination for which `is_group` is true.
inline constexpr std::size_t group_index(NodeId destination) {
  return static_cast<std::size_t>(no_node - 1 - destination);
}

/// The paths of a group's packets: in each node, the flit that arrives leaves once through each port of a set.
struct MulticastTree {
  MulticastGroup group;
  std::vector<std::uint64_t> ports;  ///< [node] bit q is out-port q, or the local port, whose number is that of links
  std::int32_t links = 0;            ///< that a flit crosses

  std::uint64_t at(NodeId node) const { return ports[static_cast<std::size_t>(node)]; }
};

}  // namespace starloom

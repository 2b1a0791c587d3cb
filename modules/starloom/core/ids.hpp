// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Identifiers of nodes, links, packets, ports and steps. All start at 0; -1 means none.
#include <cstdint>

namespace starloom {

using NodeId = std::int32_t;     ///< a node (processor) of the network
using LinkId = std::int32_t;     ///< a directed link, numbered by (node, out-port)
using PacketId = std::int32_t;   ///< a packet, numbered by (created, source, order in the input)
using Port = std::int32_t;       ///< a port of a node; in-port q faces the same neighbour as out-port q
using Step = std::int64_t;       ///< a clock period, counted from 0
using PortMask = std::uint32_t;  ///< bit q is port q, of at most `ports_per_word` ports

inline constexpr NodeId no_node = -1;
inline constexpr PacketId no_packet = -1;
inline constexpr Port no_port = -1;
inline constexpr Step no_step = -1;
inline constexpr int ports_per_word = 32;
/// The most ports of a node in one direction.
inline constexpr int max_ports = 1024;
/// The most virtual channels of all in-ports of a node.
inline constexpr int most_channels = 32767;

/// The lowest port of a non-empty mask.
inline Port lowest_port(PortMask mask) { return __builtin_ctz(mask); }

}  // namespace starloom

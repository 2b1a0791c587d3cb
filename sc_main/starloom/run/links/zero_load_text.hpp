// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The mean latency of packets that meet no other, over all packets that the sources of an open loop may send.
#include <string>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// The line `zero load` of `check`. \param load of an open loop; its links are known and not shared.
std::string zero_load_text(const NetworkGraph& graph, const Algorithm& algorithm, const Traffic& traffic,
                           const PacketLengths& lengths, const OfferedLoad& load);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The mean latency of packets that meet no other, over all packets that the sources of an open loop may send.
#include <string>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The line `zero load` of `check`. \param load of an open loop with one stream of packets, possibly with that of
/// their replies; its links are known and not shared.
std::string zero_load_text(const NetworkGraph& graph, const Algorithm& algorithm, const OfferedLoad& load);

}  // namespace starloom::links

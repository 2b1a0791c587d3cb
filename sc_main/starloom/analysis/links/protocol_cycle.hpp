// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Cycles of requests and replies that wait for each other (docs/check.md).
#include <optional>
#include <vector>

#include <starloom/control/links/traffic_class.hpp>

namespace starloom::links {

/// Requests of a class that wait for their replies, which wait behind them in channels.
struct ProtocolCycle {
  int requests = 0;      ///< number of their class
  bool limited = false;  ///< processors accept a limited number of the requests of all classes in the cycle
};

/// A packet of a class can wait behind all packets that share a channel with it, in the same subnet; a request that its
/// processor does not accept waits for a reply. Returns a cycle with at least one reply, preferably of limited
/// requests; nullopt: there is none. \param channels of a port.
std::optional<ProtocolCycle> protocol_cycle(const std::vector<TrafficClass>& classes, int channels);

}  // namespace starloom::links

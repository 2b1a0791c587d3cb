// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The flow control of packets: the room that a head needs in the buffer behind an output channel
/// (docs/flow-control.md).
///
/// The declaration of an algorithm contains it, so this file is not in the room of the router.
#include <cstdint>
#include <vector>

namespace starloom::router {

enum class FlowRule {
  wormhole,     ///< none: its flits go on one by one
  cut_through,  ///< slots for the whole packet (P. Kermani, L. Kleinrock, Computer Networks 3, 1979)
  /// in a ring, slots for the longest packet, and to enter a ring, for two of them (V. Puente et al., "The Adaptive
  /// Bubble Router", J. Parallel and Distributed Computing 61, 2001)
  bubble,
};

struct FlowControl {
  FlowRule rule = FlowRule::wormhole;
  std::int32_t longest = 0;         ///< bubble: flits of the longest packet
  std::vector<std::int32_t> rings;  ///< bubble: [port] the dimension of its link

  /// The room that a head needs to get an output channel of a link.
  /// \param in, out ports of its node; `in` may be the local one, whose number is that of the ports of links.
  std::int32_t needed(std::int32_t in, std::int32_t out, std::int32_t flits) const {
    if (rule == FlowRule::wormhole) return 0;
    if (rule == FlowRule::cut_through) return flits;
    const auto at = [this](std::int32_t port) { return rings[static_cast<std::size_t>(port)]; };
    const bool enters = in == static_cast<std::int32_t>(rings.size()) || at(in) != at(out);
    return enters ? 2 * longest : longest;
  }
};

}  // namespace starloom::router

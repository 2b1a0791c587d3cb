// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rules of a GeneralRouter that keys switch on, besides allocators and priorities.

namespace starloom::links {

/// The rules by which output channels are taken and the switch is kept; all false in the default router.
struct ChannelRules {
  bool hold_switch = false;           ///< a packet keeps its in-port and out-port while it can send
  bool wait_for_tail_credit = false;  ///< a channel is free again only with all its credits
  bool busy_when_full = false;        ///< heads request only channels with a credit
  bool shuffle_requests = false;      ///< channel allocation orders inputs by channel, then by port
  bool next_hop_channels = false;     ///< channels are divided by the out-port at the next router
  bool whole_packets = false;  ///< a packet enters a channel of its processor only if that has room for all of it

  bool any() const {
    return hold_switch || wait_for_tail_credit || busy_when_full || shuffle_requests || next_hop_channels ||
           whole_packets;
  }
};

/// The rule by which speculative requests for the switch are granted apart from the others.
enum class SpeculationMask {
  grants,    ///< void if a non-speculative grant takes the in-port or the out-port
  requests,  ///< void if a non-speculative grant takes the in-port, or there is such a request for the out-port
};

}  // namespace starloom::links

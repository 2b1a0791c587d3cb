// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The return of credits: the channel that gets the credit of a freed slot, and the step in which it is
/// available.
#include <cstddef>
#include <cstdint>
#include <limits>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/core/ids.hpp>
#include <starloom/engines/wake_calendar.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/channel_table.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

/// The channels of a node for which a credit becomes available in a step.
template <int words>
struct Credits {
  ChannelSet<words> outputs{};  ///< output channels
  ChannelSet<words> source{};   ///< channels of the local in-port, for the processor, or of the link of a terminal

  Credits& operator|=(const Credits& more) {
    outputs |= more.outputs;
    source |= more.source;
    return *this;
  }
};

/// Credits that become available in one step, as written by one partition of the network.
template <int words>
struct CreditLane {
  Credits<words>* credits = nullptr;  ///< [lane]
  std::uint64_t* credited = nullptr;  ///< bitmap of the lanes with a credit
  links::WakeCalendar::StepFlags calendar;

  void to_output(NodeId lane, int out) const {
    credits[lane].outputs.add(out);
    mark(lane);
  }
  void to_source(NodeId lane, int channel) const {
    credits[lane].source.add(channel);
    mark(lane);
  }

 private:
  void mark(NodeId lane) const {
    credited[static_cast<std::size_t>(lane) >> 6] |= std::uint64_t{1} << (lane & 63);
    calendar.mark();
  }
};

/// The processor's knowledge of a channel of its local in-port.
struct SourceChannel {
  std::uint16_t credits = 0;
  std::uint16_t back = 0;   ///< slot for the next flit
  std::int16_t queue = -1;  ///< of the memory, whose packet has begun to enter it, but not ended; -1: none
};

/// The port at the other end of a link. A terminal has no channels: flits that arrive there are consumed, flits that
/// leave it come from its memory.
struct FarPort {
  static constexpr std::int16_t no_channels = std::numeric_limits<std::int16_t>::min();
  bool is_terminal() const { return shift == no_channels; }

  NodeId lane = no_node;   ///< lane of the node at that end in the masks of a step; no_node: no link
  std::int16_t shift = 0;  ///< from the index of a channel here to that at the other end
  /// steps from the switch until a flit is readable at that end, or until a credit is available
  std::int32_t delay = 0;
};

/// Returns the credit of the slot that a flit frees in an input channel, in the step in which it passes the switch:
/// to the output channel at the other end of the link that it came over, or to the processor that injected it.
/// \param here the node. \param upstream [in-port index] the other ends of the links that lead here.
/// \param ahead returns the CreditLane of a step, by its distance from the current one.
/// \tparam terminals some links lead from terminals.
template <bool terminals, class Ahead>
inline void return_credit(NodeId here, int in, const InputChannel& input, const RouterShape& shape,
                          const FarPort* upstream, const Ahead& ahead) {
  if (input.port_index == shape.local_index()) {
    ahead(source_credit).to_source(here, in - shape.first(input.port_index));
    return;
  }
  const FarPort& from = upstream[input.port_index];
  if (terminals && from.is_terminal()) ahead(from.delay).to_source(from.lane, in - shape.first(input.port_index));
  else ahead(from.delay).to_output(from.lane, in + from.shift);
}

}  // namespace starloom::router

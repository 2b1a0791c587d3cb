// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Credits on their way back: to which channel the credit of a slot returns that a flit has left, and when it
/// counts.
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

/// The channels of a node for which a credit counts from a step on.
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

/// Where the credits go that count from one step on, as one part of the network writes them.
template <int words>
struct CreditLane {
  Credits<words>* credits = nullptr;  ///< [place]
  std::uint64_t* credited = nullptr;  ///< bitmap of the places that have any
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

/// The port at the other end of a link. A terminal there has no channels: what goes there is consumed, what comes
/// from there comes from its memory.
struct FarPort {
  static constexpr std::int16_t no_channels = std::numeric_limits<std::int16_t>::min();
  bool is_terminal() const { return shift == no_channels; }

  NodeId lane = no_node;    ///< of the node there in the masks of a step; no_node: no link
  std::int16_t shift = 0;   ///< from the index of a channel here to that of its other end
  std::uint16_t delay = 0;  ///< steps from the switch until a flit is readable there, or until a credit counts
};

/// Returns the credit of the slot that a flit leaves in an input channel, in the step in which it passes the
/// switch: to the output channel at the other end of the link that it came over, or to the processor that injected
/// it.
/// \param here the node. \param upstream [in-place] the other ends of the links that lead here.
/// \param ahead gives the CreditLane of a step, by its distance from the one that runs.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing function that also divides channels by the next hop (docs/router-stages.md, "Switch options").
#include <memory>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// Follows a function of one path. A packet that will leave the next router by out-port o, of P ports, takes only the
/// o-th of P equal parts of the channels that the function gives it; the channels that remain are not used. So packets
/// for different out-ports of a router wait in different buffers. At its destination a packet takes the part of the
/// local out-port, but all channels if it is also its source, as `noq` of BookSim2.
class NextHopChannels final : public RoutingFunction {
 public:
  /// \param function of one choice, which depends on node and destination only.
  /// \param graph outlives the function. \param number [port, the local one last] that of an out-port, from 0 on.
  NextHopChannels(std::unique_ptr<RoutingFunction> function, const NetworkGraph& graph, std::vector<int> number)
      : function_(std::move(function)), graph_(graph), number_(std::move(number)) {}

  void route(const Head& head, Choices& choices) const override;
  ChannelRange source_channels(const Head& head, const ChannelRange& all) const override;
  const PairsWithoutPath* without_path() const override { return function_->without_path(); }
  double table_bytes() const override { return function_->table_bytes(); }

 private:
  ChannelRange part(const ChannelRange& all, Port out) const;
  Port next_port(const Head& head) const;

  const std::unique_ptr<RoutingFunction> function_;
  const NetworkGraph& graph_;
  const std::vector<int> number_;
};

}  // namespace starloom::routing

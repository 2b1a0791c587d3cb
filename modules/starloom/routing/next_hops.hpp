// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables of routing functions: the next hops for every destination.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// The out-ports for each processor as destination and each of `width` states of packets, such as their nodes. Where
/// several ports are equally good, it keeps all of them, or only the lowest.
class NextHops {
 public:
  enum class Kept { lowest, all };

  /// \throws InputError if that takes more than a gigabyte, with the name of `function`.
  NextHops(const std::string& function, const NetworkGraph& graph, std::size_t width, Kept kept);

  bool keeps_all() const { return kept_ == Kept::all; }
  double bytes() const {
    return static_cast<double>(lowest_.size() + lowest_high_.size() + all_.size() * sizeof(PortMask));
  }
  /// \param ports in ascending order.
  void set(NodeId processor, std::size_t state, const std::vector<Port>& ports);
  /// Adds a choice for each port, in ascending order; none for an entry without ports.
  void offer(NodeId processor, std::size_t state, ChannelRange channels, Choices& choices) const;

 private:
  std::size_t index(NodeId processor, std::size_t state) const {
    return static_cast<std::size_t>(processor) * width_ + state;
  }

  const std::size_t width_;
  const Kept kept_;
  const std::size_t words_;  ///< of a PortSet
  const Port nowhere_;       ///< a number that no port has
  // [processor, state] a port, or `nowhere_`, in one byte, or in two if there are more ports; empty if all are kept
  std::vector<std::uint8_t> lowest_, lowest_high_;
  std::vector<PortMask> all_;  ///< [processor, state, word of PortSet]; empty if the lowest are kept
};

}  // namespace starloom::routing

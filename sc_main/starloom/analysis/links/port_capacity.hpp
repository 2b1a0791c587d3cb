// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The greatest rate of a link or a local port: it is one flit wide, its buffers have a limited number of
/// slots, and each head keeps a channel for some steps (docs/algorithms/vc-wormhole.md, "Timing").
#include <algorithm>
#include <cstdint>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A port with the buffers that its flits enter. Without virtual channels only its interval limits it.
struct PortCapacity {
  std::int32_t interval = 1;    ///< steps from one flit to the next
  std::int32_t channels = 0;    ///< that packets may take; 0: flits need no buffer slot
  std::int32_t buffer = 0;      ///< slots of each channel, at most
  std::int32_t loop = 0;        ///< steps from a flit that takes a slot to the next flit that can take it
  std::int32_t head_steps = 1;  ///< of a head at the front of a buffer
  std::int32_t flit_steps = 1;  ///< of any other flit there
  std::int32_t spacing = 1;     ///< steps between two flits of a channel on the link

  std::int32_t places = 0;  ///< that all channels share; 0: each has its own slots
  /// Flits that leave the FIFO between two clocks, in the long run at most this number per `read_steps`; 0: no limit.
  std::int32_t read_flits = 0, read_steps = 1;

  std::int64_t slots() const {
    const std::int64_t of_channels = std::int64_t{channels} * buffer;
    return places > 0 ? std::min<std::int64_t>(of_channels, places) : of_channels;
  }
  /// The least number of steps between the first and the last of `flits`.
  double least_steps(double flits) const;
};

enum class PortLimit { width, slots, heads };

/// `flits` per `steps`, with the limiting factor `limit`.
struct PortRate {
  PortLimit limit = PortLimit::width;
  double flits = 1;
  double steps = 1;

  double flits_per_step() const { return flits / steps; }
};

/// The greatest mean rate of a port that carries packets of `flits_per_packet` flits.
PortRate greatest_rate(const PortCapacity& port, double flits_per_packet);

/// \param channels number of channels of the link that packets may take.
PortCapacity capacity_of_link(const NetworkGraph& graph, const Declaration& declared, NodeId node, Port port,
                              std::int32_t channels);
/// For the local port of a node with virtual channels, from its processor and to it.
PortCapacity capacity_from_processor(const NetworkGraph& graph, const Declaration& declared, NodeId node);
PortCapacity capacity_to_processor(const NetworkGraph& graph, const Declaration& declared, NodeId node);

}  // namespace starloom::links

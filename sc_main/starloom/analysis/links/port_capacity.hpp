// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The most that a link or a local port carries: it is one flit wide, its buffers have few places, and each head
/// keeps a channel for some steps (docs/algorithms/vc-wormhole.md, "The pipeline").
#include <cstdint>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A port with the buffers that its flits go into. Without virtual channels it is limited by its interval alone.
struct PortCapacity {
  std::int32_t interval = 1;    ///< steps from one flit to the next
  std::int32_t channels = 0;    ///< that packets may take there; 0: flits need no place of a buffer
  std::int32_t buffer = 0;      ///< places of each channel
  std::int32_t loop = 0;        ///< steps from a flit that takes a place to the next flit that can take it
  std::int32_t head_steps = 1;  ///< that a head waits at the front of a buffer; a flit behind it stands there for one

  std::int64_t slots() const { return std::int64_t{channels} * buffer; }
  /// The steps between the first and the last of `flits`, at least.
  double least_steps(double flits) const;
};

enum class PortLimit { width, slots, heads };

/// `flits` in `steps`, because of `limit`.
struct PortRate {
  PortLimit limit = PortLimit::width;
  double flits = 1;
  double steps = 1;

  double flits_a_step() const { return flits / steps; }
};

/// The greatest mean rate of a port that carries packets of `flits_a_packet` flits.
PortRate greatest_rate(const PortCapacity& port, double flits_a_packet);

/// \param channels those of the link that packets may take there.
PortCapacity capacity_of_link(const NetworkGraph& graph, const Declaration& declared, NodeId node, Port port,
                              std::int32_t channels);
/// Of a local port with virtual channels, from its processor and to it.
PortCapacity capacity_from_processor(const Declaration& declared);
PortCapacity capacity_to_processor(const Declaration& declared);

}  // namespace starloom::links

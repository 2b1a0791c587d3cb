// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the routing function puts on every link, before anything runs.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Flits for one destination: a number of flits, or of flits a step.
struct Flow {
  NodeId source = no_node;
  NodeId destination = no_node;
  double flits = 0;
};

struct LinkDemand {
  enum class Meaning {
    certain,   ///< of fixed ways
    expected,  ///< the mean over all that packets can draw
    shared,    ///< if heads took every out-port that they are offered equally often
  };
  Meaning meaning = Meaning::certain;
  std::vector<double> load;  ///< [node * ports + out-port], in the unit of the flows
  double hops = 0;           ///< sum of all loads
  /// Of shared loads: the busiest link has no less, however heads choose; 0: not known.
  double least = 0;
  /// [as `load`] The virtual channels of each link that these packets may take there; empty: not looked at.
  std::vector<std::int32_t> channels{};

  double most() const;
  /// Index of the first link with the most, up to rounding.
  std::size_t busiest() const;
};

/// Every flow follows the routing function. Nothing if that is not fixed for one of them.
std::optional<LinkDemand> demand_of(const NetworkGraph& graph, const Algorithm& algorithm,
                                    const std::vector<Flow>& flows);

/// Packets follow the plan that was made for them.
LinkDemand demand_of_plan(const NetworkGraph& graph, const Plan& plan, const std::vector<Packet>& packets);

/// Every processor sends `rate` flits a step to all processors alike, itself included. Nothing if the routing
/// function is not fixed. The time grows with the square of the number of nodes.
std::optional<LinkDemand> uniform_demand(const NetworkGraph& graph, const Algorithm& algorithm, double rate);

}  // namespace starloom::links

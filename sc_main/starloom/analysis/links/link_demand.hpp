// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The load that the routing function puts on every link, computed before a run.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Flits for one destination: a number of flits, or of flits per step.
struct Flow {
  NodeId source = no_node;
  NodeId destination = no_node;
  double flits = 0;
};

struct LinkDemand {
  enum class Meaning {
    certain,   ///< of fixed paths
    expected,  ///< the mean over all random choices of packets
    shared,    ///< if packets took every offered out-port with equal frequency
  };
  Meaning meaning = Meaning::certain;
  std::vector<double> load;  ///< [node * ports + out-port], in the unit of the flows
  double hops = 0;           ///< sum of all loads
  /// For shared loads: a lower bound on the load of the busiest link, for any choices of heads; 0: not known.
  double least = 0;
  /// [as `load`] The virtual channels of each link that these packets may take; empty: not computed.
  std::vector<std::int32_t> channels{};

  double most() const;
  /// Index of the first link with the greatest load, up to rounding.
  std::size_t busiest() const;
};

/// The load if every flow follows the routing function; empty if that is not fixed for one of them.
std::optional<LinkDemand> demand_of(const NetworkGraph& graph, const Algorithm& algorithm,
                                    const std::vector<Flow>& flows);

/// The load of packets that follow the plan made for them.
LinkDemand demand_of_plan(const NetworkGraph& graph, const Plan& plan, const std::vector<Packet>& packets);

/// The load if every processor sends `rate` flits per step uniformly to all processors, or to all others. Empty if the
/// routing function is not fixed. The time grows with the square of the number of nodes.
/// \param to_itself including itself; if not, there are two processors at least.
std::optional<LinkDemand> uniform_demand(const NetworkGraph& graph, const Algorithm& algorithm, double rate,
                                         bool to_itself = true);

}  // namespace starloom::links

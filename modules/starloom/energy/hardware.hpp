// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The costs of the routers and links of a network (docs/energy.md).
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/energy/costs.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::energy {

/// The most bits of a flit: those of the longest in `units.flit_bytes`.
inline constexpr int most_bits = 8 << 20;

/// The sizes of the hardware that neither the network nor the algorithm knows.
struct Sizes {
  int bits = 128;  ///< of a flit
  /// Lengths of links in mm, by names with * and ?; the first that matches counts.
  std::vector<std::pair<std::string, double>> link_mm{};
  double other_link_mm = 1;  ///< of links that no name matches
  double terminal_mm = 0;    ///< the same, of links from and to terminals
  int depth = 8;             ///< store-and-forward: places of a buffer, if nodes have no bound, or several
};

/// The costs of a network, a copy for each kind of router and of link.
struct Hardware {
  std::vector<RouterSize> router_sizes;  ///< [kind]
  std::vector<Cost> router_costs;        ///< [kind]
  std::vector<Cost> link_costs;          ///< [kind]
  std::vector<std::int32_t> routers;     ///< [node] its kind; -1: a terminal, which has no router
  std::vector<std::int32_t> links;       ///< [node * ports + out-port] its kind; -1: a port without a link
  std::int64_t assumed_toggles = 1;      ///< 10^-6, of the flit whose crossing costs `Cost::wires`
  /// The names in `Sizes::link_mm` that name no link, each with a sentence.
  std::vector<std::pair<std::string, std::string>> unknown_links;

  bool has_router(NodeId node) const { return routers[static_cast<std::size_t>(node)] >= 0; }
  const Cost& router(NodeId node) const {
    return router_costs[static_cast<std::size_t>(routers[static_cast<std::size_t>(node)])];
  }
  const Cost& link(std::size_t link) const { return link_costs[static_cast<std::size_t>(links[link])]; }
};

/// The costs of all routers and links; formulas that fail are in `costs.failures()`.
Hardware hardware_of(const NetworkGraph& graph, const links::Declaration& declaration, const Sizes& sizes,
                     Costs& costs);

}  // namespace starloom::energy

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and the area that `starloom check` reports without a run (docs/energy.md).
#include <nlohmann/json.hpp>
#include <optional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/topology/network_graph.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// A network with all of its subnets, and the costs of its routers and links.
struct PricedNetwork {
  const NetworkGraph& graph;
  const energy::Hardware& costs;
};

/// The lines `area` and `leakage`, with every digit.
std::vector<std::string> silicon_lines(const energy::Hardware& hardware);
/// The same as JSON: `area`, um2 by component and in total, and `leakage`, mW.
nlohmann::ordered_json silicon_facts(const energy::Hardware& hardware);

/// The dynamic energy without clocks that a flit takes on its way if it meets no other, the mean over all flits that
/// arrive. pJ; nullopt: none does
/// \param flits, heads [subnet] the loads of all flits, and of the first flits of packets; those of links are known
std::optional<double> zero_load_energy(const PricedNetwork& network, const Declaration& declaration,
                                       const std::vector<OfferedLoad>& flits, const std::vector<OfferedLoad>& heads);

}  // namespace starloom::links

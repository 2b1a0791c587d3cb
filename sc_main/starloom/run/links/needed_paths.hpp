// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pairs of processors between which the traffic of an experiment sends packets, and which need a path.
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// Refuses traffic of pairs between which the routing function of the algorithm has no path: one diagnostic, with
/// their number and the first ones. With faults, only traffic whose packets wait for others, which such a pair would
/// stop: else its packets are lost. If all pairs have a path, as in every family, the traffic is not read.
/// \param transactions the packets of transactions, requests and responses; null: the traffic has none.
void require_needed_paths(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                          const Traffic& traffic, const std::vector<Packet>* transactions, Diagnostics& diagnostics);

}  // namespace starloom::links

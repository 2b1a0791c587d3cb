// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The text of `starloom check` for a run on a network of links: its properties without a simulation.
#include <functional>
#include <optional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/run/links/energy_preflight.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/topology/network.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// Lines on bounds, the load of the links, deadlock, memory and time.
/// \param packets all of the run; null: sources never end.
/// \param priced the network with the costs of its hardware; null: it has none
/// \param subject lines on the network and its traffic, which follow the answers.
PreflightReport preflight_of(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                             const Traffic& traffic, const std::vector<Packet>* packets, const PricedNetwork* priced,
                             const std::vector<std::string>& subject,
                             const std::function<void(const char* what)>& begins);

/// The load of open loop at which a link is full, for any choices of heads; nullopt: not known, or no packet crosses
/// a link.
std::optional<double> full_load(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                                const Traffic& traffic);

}  // namespace starloom::links

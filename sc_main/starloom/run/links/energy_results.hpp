// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and the area of a run on a network of links (docs/energy.md).
#include <starloom/control/links/algorithm.hpp>
#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// The costs of the hardware of an experiment with `energy`. Errors are added to `diagnostics`.
energy::Hardware energy_hardware(const Experiment& experiment, const NetworkGraph& graph,
                                 const Declaration& declaration, Diagnostics& diagnostics);

/// A sentence for each size of the network for which the numbers of the table are not known to hold.
std::vector<std::string> energy_warnings(const energy::Table& table, const energy::Hardware& hardware);

/// Adds the metrics `energy`, `energy.csv`, and a line of the summary.
void add_energy(RunReport& report, const Experiment& experiment, const NetworkGraph& graph,
                const energy::Hardware& hardware, const energy::EventTally& tally, const SimulationResult& result);

}  // namespace starloom::links

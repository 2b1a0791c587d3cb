// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The results of a run on a network with faults.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/simulation.hpp>

namespace starloom::links {

/// Adds the metrics `faults`, `faults.csv`, and lines of the summary.
/// \param unreachable knows all events of the run. \param link_errors null: there are none
void add_faults(RunReport& report, const Unreachable& unreachable, const LinkErrors* link_errors,
                const Algorithm& algorithm, const SimulationResult& result);

/// Adds links and routers that are dead in steps up to `last`, the last one of the run.
void add_dead_hardware(Captions& captions, const Faults& start, const std::vector<FaultEvent>& events, Step last);

}  // namespace starloom::links

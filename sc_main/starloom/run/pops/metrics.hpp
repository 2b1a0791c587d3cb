// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The metrics of result.json, and the lines of the summary, for runs on POPS networks.
#include <optional>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/pops/simulation.hpp>
#include <string>
#include <vector>

namespace starloom::pops {

/// `schedule`, `links` (drives of couplers), `bounds`, `algorithm`, and `optics` if there are optical parts. Couplers
/// have no distance, and processors only the buffers of the protocol: no queue, no storage model.
MetricValues metrics_of(const Algorithm& algorithm, const SimulationResult& run,
                        const std::optional<OpticalParts>& optics);
std::string schedule_text(const std::optional<Schedule>& schedule);
/// The text about time and energy of a run with `optics`.
std::string optics_summary(const MetricValues& metrics);
/// Lines about couplers.
std::vector<Line> summary_of(const SimulationResult& run);

}  // namespace starloom::pops

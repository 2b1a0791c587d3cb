// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The metrics of result.json, and the lines of the summary, for runs on networks of links.
#include <optional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// `schedule`, `distance`, `hops`, `latency.per_hop`, `queue`, `throughput`, `saturated`, `saturation`,
/// `network_latency`, `links`, `bounds`, `algorithm`, `storage`.
MetricValues metrics_of(const NetworkGraph& graph, const Algorithm& algorithm, const SimulationResult& run,
                        const std::optional<Phases>& phases);
/// The reason why a run is saturated, with advice: a sentence. `load` is the key that lowers the load.
std::string saturation_text(const NetworkGraph& graph, const SaturationVerdict& verdict, const std::string& load);
/// Lines about queues and links.
std::vector<Line> summary_of(const NetworkGraph& graph, const Algorithm& algorithm, const SimulationResult& run);

}  // namespace starloom::links

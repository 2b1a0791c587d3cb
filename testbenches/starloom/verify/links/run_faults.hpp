// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The faults of a run, derived from the keys of its experiment once more.
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <starloom/referee/links/referee.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/link_errors.hpp>
#include <starloom/topology/rerouting.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// Empty if the experiment has no faults. With lifetimes, those events are known that faults.csv has.
/// \param channels of a link. \throws InputError
std::optional<FaultTimeline> faults_of_run(const ResultDocument& result, const NetworkGraph& graph, int channels);
/// The errors of links; null: the run has none.
std::shared_ptr<const LinkErrors> errors_of_run(const ResultDocument& result, const NetworkGraph& graph);

/// How the routing functions of a run learn of hardware that dies or is repaired; none: never. \throws InputError
std::optional<RerouteRules> reroute_rules_of_run(const ResultDocument& result);

/// Compares `faults` of result.json, `faults.csv` and the outcome with the faults and the lost packets.
/// \throws InputError if faults.csv cannot be read
/// \param referee has seen all rows. \param timeline as faults_of_run
/// \param last the step of the last row of the trace; the run may be longer.
void compare_faults(Comparison& comparison, const ResultDocument& result, Referee& referee, FaultTimeline timeline,
                    Step last, const PacketTable& packets, const std::filesystem::path& folder);

}  // namespace starloom::links

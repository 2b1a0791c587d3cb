// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload: what is known of them before a run, and their results.
#include <functional>
#include <memory>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/run/links/ideal_run.hpp>
#include <starloom/simulation/links/message_source.hpp>
#include <starloom/simulation/simulation.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// `30 of 480 messages miss theirs also without contention; late by at least 6 steps in the flow ring[0] 15->0`.
std::string deadlines_text(const IdealRun& ideal, const Workload& workload);

/// `5 messages of 15 flits in total; the longest chain of dependencies has 3 items, and the critical path takes 143
/// steps`. \param packets of its messages.
std::string messages_text(const Workload& workload, const std::vector<Packet>& packets, Step critical_path);

/// `blackscholes, 64 nodes, 81749 records in 2325306 cycles: the notes of the file`.
std::string netrace_text(const NetraceFacts& netrace);

/// `closed-loop: 12 clients with at most 4 outstanding requests each, 4 servers` without the name of the pattern.
std::string closed_loop_text(const ClosedLoop& loop);

/// Adds metrics and a line of the replies that were delivered, with phases in the measured steps.
/// \param log of all messages. \param measured set with phases.
void add_closed_loop(RunReport& report, const MessageLog& log, const std::optional<Phases>& phases,
                     const std::optional<Measured>& measured);

/// Adds metrics, lines and the results by flow, and, if packets are listed, `messages.csv` and `critical_path.csv`.
/// \param graph of one subnet. \return the names of the flows over each link, as `flow_captions`
std::vector<std::string> add_messages(RunReport& report, MessageLog log, const Traffic& traffic,
                                      const NetworkGraph& graph, const Algorithm& algorithm, bool listed);

}  // namespace starloom::links

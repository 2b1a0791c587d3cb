// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Results by flow and by class: `flows.csv`, and the classes and deadlines of messages.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/flow_tally.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/placed_tasks.hpp>
#include <starloom/traffic/workloads/workload.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// The name of the class of a message. \param classes their names; empty: the run has none.
std::string class_of(const Item& message, const std::vector<std::string>& classes);

/// Adds the metrics of classes of messages, the file, and, if messages have deadlines, a line.
/// \param classes as above.
void add_flows(RunReport& report, const std::vector<FlowPart>& parts, const Workload& workload,
               const std::vector<std::string>& classes);

/// [link] the flows whose packets take it, with the flits of their messages, the greatest first. Empty if the algorithm
/// does not fix the paths of packets, or if there are too many flows.
/// \param graph of one subnet.
std::vector<std::string> flow_captions(const std::vector<FlowPart>& parts, const Workload& workload,
                                       const NetworkGraph& graph, const Algorithm& algorithm);

/// Adds the file of an application, the flows of which are pairs of tasks.
void add_task_flows(RunReport& report, const RunRecord& record, const PlacedTasks& tasks);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload: what is known of them before a run, and their results.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/message_source.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// A workload on a network in which no packet meets another one.
struct IdealRun {
  Step critical_path = 0;       ///< the greatest step of a delivery: no run is faster
  std::vector<Packet> packets;  ///< in the order of their creation
};

/// \param graph of one subnet.
IdealRun ideal_run(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload, int subnets);

/// The messages of a workload in words: `5 messages of 15 flits; the longest chain has 3 items, and takes 143 steps`.
std::string messages_text(const Workload& workload, const IdealRun& ideal);

/// Adds metrics and a line, and, if packets are listed, `messages.csv`.
void add_messages(RunReport& report, const MessageLog& log, const Workload& workload, const Algorithm& algorithm,
                  bool listed);

}  // namespace starloom::links

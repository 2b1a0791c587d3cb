// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The operations of a program: their times, the bandwidths of collectives, and bounds beside them.
#include <cstdint>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/workloads/operation_log.hpp>
#include <string>

namespace starloom::links {

/// Adds `workload.collectives`, lines, the files `collectives.csv` and `chunks.csv` and, if packets are listed,
/// `operations.csv`.
/// \param network one subnet.
void add_collectives(RunReport& report, OperationLog log, const Program& program, const Experiment& experiment,
                     const LinkNetwork& network, const Algorithm& algorithm, bool listed);

/// The content of `collectives.svg`. \param end the last step of the run, events included
std::string picture_of_operations(const OperationLog& log, const Program& program, Step end, const std::string& title);

}  // namespace starloom::links

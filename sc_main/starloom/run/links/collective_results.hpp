// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The collectives of a program: their times and bandwidths, and bounds beside them.
#include <cstdint>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/workloads/operation_log.hpp>

namespace starloom::links {

/// Adds `workload.collectives`, lines, and the files `collectives.csv` and `chunks.csv`.
/// \param network one subnet.
void add_collectives(RunReport& report, OperationLog log, const Program& program, const Experiment& experiment,
                     const LinkNetwork& network, const Algorithm& algorithm);

}  // namespace starloom::links

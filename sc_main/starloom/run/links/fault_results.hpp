// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The results of a run on a network with faults.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/results/run_report.hpp>

namespace starloom::links {

/// Adds the metrics `faults`, `faults.csv`, and a line of the summary.
void add_faults(RunReport& report, const Unreachable& unreachable, const Algorithm& algorithm, const RunRecord& record);

}  // namespace starloom::links

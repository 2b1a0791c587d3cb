// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What faults leave of a network: for `check`.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>

namespace starloom::links {

struct FaultReport {
  std::vector<std::string> lines;
  nlohmann::ordered_json facts;  ///< `unreachable`, `load`, `ways` and `left` of `check --json`
  bool may_deadlock = false;     ///< after a change of routing functions
  std::int64_t unreachable = 0;  ///< ordered pairs of living processors
};

/// The dead hardware, the parts of the network that is left, the pairs that are unreachable, and the load of one flit
/// for each pair that is not.
/// \param whole the algorithm on the network without faults.
FaultReport fault_report(const Unreachable& unreachable, const Algorithm& algorithm, const Algorithm& whole);

}  // namespace starloom::links

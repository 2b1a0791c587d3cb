// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the referee holds a run on a POPS network to, from its result.
#include <nlohmann/json.hpp>
#include <string>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// What the algorithm of `table` that `routing`, the section of a result, names declares; couplers alone if no
/// algorithm has that name. `file`: where the section stands, for faults. \throws InputError if the algorithm could
/// not have had such keys.
pops::Rules declared_rules(const std::vector<AlgorithmEntry>& table, const Pops& pops,
                           const nlohmann::ordered_json& routing, const std::string& file);

}  // namespace starloom

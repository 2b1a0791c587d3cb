// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rules that the referee checks for a run on a POPS network, from its result.
#include <nlohmann/json.hpp>
#include <string>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// The rules that an algorithm of `table` declares, named in `routing`, the section of a result; only those of
/// couplers if no algorithm has that name. `file`: the file of the section, for errors. \throws InputError if the
/// algorithm does not accept these keys.
pops::Rules declared_rules(const std::vector<AlgorithmEntry>& table, const Pops& pops,
                           const nlohmann::ordered_json& routing, const std::string& file);

}  // namespace starloom

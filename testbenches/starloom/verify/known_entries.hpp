// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What readers of output folders know of the entries that a run may name, without linking what the entries make.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <starloom/core/pops/rules.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom {

/// The rules that an algorithm of POPS networks declares, from the section `experiment.routing` of a result that stands in
/// `file`. \throws InputError
using DeclaredRules =
    std::function<pops::Rules(const Pops& pops, const nlohmann::ordered_json& routing, const std::string& file)>;

struct KnownEntries {
  std::vector<TopologyEntry> topologies;
  DeclaredRules pops_rules{};                ///< of networks with couplers
  std::vector<std::string> leave_packets{};  ///< algorithms whose completed runs may have undelivered packets
};

}  // namespace starloom

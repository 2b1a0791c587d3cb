// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The entries that a run may name, as far as readers of output folders need them, without linking their
/// implementations.
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <starloom/control/links/run_audit.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom {

/// The rules that an algorithm of POPS networks declares, from the section `experiment.routing` of a result in
/// `file`. \throws InputError
using DeclaredRules =
    std::function<pops::Rules(const Pops& pops, const nlohmann::ordered_json& routing, const std::string& file)>;

/// The keys of a section of an experiment, or of its top level if `section` is empty. `name`: the topology, algorithm
/// or pattern, which adds keys of its own.
using SectionKeys = std::function<std::vector<KeySpec>(const std::string& section, const std::string& name)>;

struct KnownEntries {
  std::vector<TopologyEntry> topologies;
  DeclaredRules pops_rules{};                     ///< of POPS networks
  std::vector<std::string> leave_packets{};       ///< algorithms whose completed runs may have undelivered packets
  std::vector<std::string> compare_priorities{};  ///< allocators of switches that compare the priorities of flits
  std::map<std::string, links::MakeRunAudit> audits{};  ///< [algorithm] its audit; most have none
  SectionKeys keys{};                                   ///< null: ranges are not checked
};

}  // namespace starloom

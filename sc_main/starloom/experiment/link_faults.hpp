// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `faults` of networks of links.
#include <nlohmann/json.hpp>
#include <optional>

#include <starloom/config/document.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/fault_keys.hpp>
#include <starloom/topology/rerouting.hpp>

namespace starloom {

/// Faults, and whether a run that loses packets because of them may be completed.
struct LinkFaults {
  FaultKeys keys;
  bool counts_losses = false;  ///< `losses: count`
  /// How routing functions learn of hardware that dies or is repaired during the run; none: never.
  std::optional<RerouteRules> reroute = RerouteRules{};
  bool reroute_is_given = false;

  /// True if hardware dies or is repaired during the run.
  bool change_hardware() const;

  /// As in an experiment, with all defaults. \param seed of the run, which campaigns change after they have read it.
  nlohmann::ordered_json json(std::uint64_t seed) const;
};

/// The keys of the section that networks of links have.
std::vector<KeySpec> link_fault_keys();

/// Errors are added to `diagnostics`.
LinkFaults read_link_faults(const DocumentValue& section, Diagnostics& diagnostics);

}  // namespace starloom

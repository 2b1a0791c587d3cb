// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `diagnostics.dead_couplers`: couplers out of service, as a list or with a rate.
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include <starloom/config/document.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>

namespace starloom {

/// The couplers of a pair of groups fail together, in both directions (topology/dead_couplers.hpp).
struct CouplerFaults {
  struct Pair {
    std::int64_t one, other;
    SourceLocation location;
  };
  std::optional<double> rate;  ///< each pair fails with this probability
  std::vector<Pair> pairs;     ///< or else these pairs

  bool any() const { return rate.value_or(0) > 0 || !pairs.empty(); }
  /// As in the experiment file.
  nlohmann::ordered_json json() const;
};

/// A rate from 0 to 1, or a list of pairs of groups; errors are added to `diagnostics`.
CouplerFaults read_coupler_faults(const DocumentValue& value, Diagnostics& diagnostics);

/// Adds to `diagnostics` groups that do not exist, and a pair of groups between which packets cannot be delivered:
/// that takes three couplers, in slots 1, 2 and 5 of a cycle, or the only coupler of the network. `section`: the
/// location of the key.
DeadCouplers dead_couplers(const CouplerFaults& config, const Pops& pops, std::uint64_t seed,
                           const SourceLocation& section, Diagnostics& diagnostics);

}  // namespace starloom

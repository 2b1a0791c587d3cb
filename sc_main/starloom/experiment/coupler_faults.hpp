// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `diagnostics.dead_couplers`: couplers out of service, as a list or at a rate.
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include <starloom/config/document.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>

namespace starloom {

/// The couplers of a pair of groups die together, in both directions (topology/dead_couplers.hpp).
struct CouplerFaults {
  struct Pair {
    std::int64_t one, other;
    SourceLocation location;
  };
  std::optional<double> rate;  ///< each pair dies with this probability
  std::vector<Pair> pairs;     ///< or else these

  bool any() const { return rate.value_or(0) > 0 || !pairs.empty(); }
  /// As the experiment file has it.
  nlohmann::ordered_json json() const;
};

/// A rate from 0 to 1, or a list of pairs of groups; everything else is added to `diagnostics`.
CouplerFaults read_coupler_faults(const DocumentValue& value, Diagnostics& diagnostics);

/// Groups that do not exist are added to `diagnostics`, and so is a pair of groups that no packet gets from the one
/// to the other: it takes three couplers, in slots 1, 2 and 5 of a cycle; where one coupler is all, that one.
/// `section`: the place of the key.
DeadCouplers dead_couplers(const CouplerFaults& config, const Pops& pops, std::uint64_t seed,
                           const SourceLocation& section, Diagnostics& diagnostics);

}  // namespace starloom

#pragma once
/// \file `faults.dead_couplers`: couplers out of service, as a list or at a rate.
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "experiment/document.hpp"
#include "topology/dead_couplers.hpp"

namespace starloom {

/// The couplers of a pair of groups die together, in both directions (topology/dead_couplers.hpp).
struct CouplerFaults {
  std::optional<double> rate;                                ///< each pair dies with this probability
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< or else these

  /// As the experiment file has it.
  nlohmann::ordered_json json() const;
};

/// A rate from 0 to 1, or a list of pairs of groups; everything else is added to `faults`.
CouplerFaults read_coupler_faults(const DocumentValue& value, Faults& faults);

/// \throws InputError (no place in the text) if a group does not exist, or a group cannot be reached from another over
/// any number of couplers that are left.
DeadCouplers dead_couplers(const CouplerFaults& config, const Pops& pops, std::uint64_t seed);

}  // namespace starloom

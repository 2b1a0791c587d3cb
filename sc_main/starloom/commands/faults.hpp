// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom faults`: the sets of dead hardware that cost a network most, without a run.
#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/run/fault_search.hpp>

namespace starloom {

struct FaultsOptions {
  ExperimentOptions experiment;
  FaultSets sets;
  int threads = 1;
  bool json = false;
};

/// Prints the worst sets: those with most unreachable pairs, and of these with the greatest load. As JSON: `sets`,
/// `connected`, `acyclic`, `load_sum`, `unreachable_sum`, `ranking`. Status 4 if it is interrupted: then it prints the
/// sets that it has judged. \throws InputError if the algorithm needs every link, or refuses a set.
Ending search_faults(const Catalogue& catalogue, const FaultsOptions& options);

}  // namespace starloom

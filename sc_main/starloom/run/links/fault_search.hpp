// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The search for the worst faults of a network of links.
#include <cstdint>
#include <functional>
#include <memory>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/run/fault_search.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::links {

/// \param given the faults of the experiment. \param seed of random ones.
/// \param make the algorithm on a network with these faults; several threads may call it.
/// \throws InputError: no set, or too many.
std::unique_ptr<FaultSearch> search_faults(const Faults& given, const FaultSets& sets, std::uint64_t seed,
                                           std::function<std::unique_ptr<Algorithm>(const Faults&)> make);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The POPS network of a run, as its result names it.
#include <optional>

#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::pops {

/// \throws InputError
Pops read_pops(const ResultDocument& result);

/// Given as a list of pairs of groups, or as a rate; empty if the result has neither. \throws InputError
std::optional<DeadCouplers> read_dead_couplers(const ResultDocument& result, const Pops& pops);

}  // namespace starloom::pops

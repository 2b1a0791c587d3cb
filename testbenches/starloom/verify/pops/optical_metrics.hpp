// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `optics` of `result.json`, recomputed by the formulas of docs/optics.md.
#include <cstdint>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::pops {

/// The use of couplers in a run, of data or of acknowledgements.
struct CouplerUse {
  std::int64_t slots = 0;
  std::int64_t drives = 0;
  std::int64_t listens = 0;
  std::int64_t heard = 0;  ///< listens in which a message was heard
};

/// For a run with `optics`. \throws InputError if a metric or a part is missing
void compare_optics(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& data,
                    const CouplerUse& acks, std::int64_t delivered_packets);

}  // namespace starloom::pops

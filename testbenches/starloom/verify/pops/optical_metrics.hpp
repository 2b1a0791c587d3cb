// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `optics` of `result.json`, recomputed by the formulas of docs/optics.md.
#include <cstdint>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::pops {

/// The use of couplers in a run.
struct CouplerUse {
  std::int64_t data_slots = 0;
  std::int64_t ack_slots = 0;
  std::int64_t data_drives = 0;
  std::int64_t ack_drives = 0;
  std::int64_t delivered = 0;  ///< packets
};

/// For a run with `optics`. \throws InputError if a metric or a part is missing
void compare_optics(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& use);

}  // namespace starloom::pops

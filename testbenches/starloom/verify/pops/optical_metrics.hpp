// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `optics` of `result.json`, computed again by the formulas of docs/optics.md.
#include <cstdint>
#include <optional>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::pops {

/// How a run used its couplers.
struct CouplerUse {
  std::int64_t slots = 0;
  std::optional<std::int64_t> ack_slots{};  ///< of these, for acknowledgements; empty: that is not known
  std::int64_t data_drives = 0;
  std::int64_t ack_drives = 0;
  std::int64_t delivered = 0;  ///< packets
};

/// Of a run with `optics`. \throws InputError if a figure or a part is missing
void compare_optics(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& use);

}  // namespace starloom::pops

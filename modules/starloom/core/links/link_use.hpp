// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Utilisation of links.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// The share of some steps in which a link could take no further flit (docs/output.md, "Utilisation"): each flit
/// occupies it for `interval` steps. At most 1, because the last flit may occupy it beyond the end; 0 over no steps.
inline double utilisation(std::int64_t flits, std::int32_t interval, Step steps) {
  if (steps == 0) return 0;
  return std::min(1.0, static_cast<double>(flits) * interval / static_cast<double>(steps));
}

/// Flits over each link, counted in the measurement phase of an open-loop run, in all steps of another one.
struct LinkUse {
  Step steps = 0;                   ///< steps in which the flits were counted
  std::vector<std::int64_t> flits;  ///< [node * ports + out-port] that entered the link; 0 where there is none
};

}  // namespace starloom::links

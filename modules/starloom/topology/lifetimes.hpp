// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Times at which cables fail and are repaired at random (docs/faults.md).
#include <cstdint>

#include <starloom/core/random.hpp>

namespace starloom {

/// Mean times of cables, in steps, from 1 to 2^32.
struct Lifetimes {
  Step mtbf = 1;  ///< from the beginning of the run, or a repair, to the failure
  Step mttr = 1;  ///< from a failure to the repair
};

/// Exponentially distributed times of the cable whose lower link leaves a node by a port, from random words with
/// integers only (J. von Neumann, "Various Techniques Used in Connection With Random Digits", 1951).
class ExponentialTimes {
 public:
  ExponentialTimes(std::uint64_t seed, NodeId node, Port port);

  /// The next time, at least one step. \param mean from 1 to 2^32
  Step next(Step mean);

 private:
  RandomStream words_;
};

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Mean fields: the number of cycles of the random algorithms of POPS networks for a uniform random
/// permutation, by a recursion from cycle to cycle instead of a run. docs/optics.md gives the differences from runs.
#include <cstdint>
#include <optional>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

struct MeanField {
  double cycles = 0;  ///< expected, until the last packet is delivered
  double drives = 0;  ///< of couplers with copies that may collide, for each packet
};

/// `randomized` if d <= g: the number of packets that a block has for another is distributed as in a random
/// permutation, each such pair of blocks has its own recursion, and the last pair ends the run. d divides g. None if
/// it takes more than a million cycles.
std::optional<MeanField> blocks_mean_field(const Pops& pops);

/// `randomized` if d > g: all groups have the same load. None if it takes more than a million cycles. `C` as in the
/// law of participation.
std::optional<MeanField> classes_mean_field(const Pops& pops, double C);

/// `direct`: each coupler has as many packets as it would have in a random permutation, and the last coupler ends the
/// run. None if couplers have more than 64 packets, or if it takes more than a million cycles.
std::optional<MeanField> couplers_mean_field(const Pops& pops);

}  // namespace starloom::pops

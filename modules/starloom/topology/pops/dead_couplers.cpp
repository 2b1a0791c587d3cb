// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/pops/dead_couplers.hpp>

#include <starloom/core/random.hpp>

namespace starloom {

DeadCouplers DeadCouplers::at_random(const Pops& pops, double rate, std::uint64_t seed) {
  DeadCouplers dead(pops);
  const std::uint64_t threshold = bernoulli_threshold(rate);
  for (std::int32_t one = 0; one < pops.groups(); ++one)
    for (std::int32_t other = one; other < pops.groups(); ++other)
      if (random_word(seed, Purpose::faults, one, other, 0) < threshold) dead.kill(one, other);
  return dead;
}

}  // namespace starloom

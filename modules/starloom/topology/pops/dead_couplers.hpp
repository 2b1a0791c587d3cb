// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Couplers that are out of service.
#include <cstdint>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// A dead coupler carries no light. The two couplers between a pair of groups share their optics and fail together,
/// so a packet that can be delivered can also be acknowledged. One bit per coupler.
class DeadCouplers {
 public:
  explicit DeadCouplers(const Pops& pops) : pops_(pops), dead_(static_cast<std::size_t>(pops.couplers()), false) {}

  /// Each pair of groups (and each group with itself) fails with probability `rate`: word(seed, faults, node =
  /// smaller group, step = greater group, 0) < floor(rate * 2^32).
  static DeadCouplers at_random(const Pops& pops, double rate, std::uint64_t seed);

  /// Takes the couplers from one group to the other, and back, out of service.
  void kill(std::int32_t one, std::int32_t other) {
    dead_[static_cast<std::size_t>(pops_.coupler(one, other))] = true;
    dead_[static_cast<std::size_t>(pops_.coupler(other, one))] = true;
  }
  bool contains(std::int32_t to, std::int32_t from) const {
    return dead_[static_cast<std::size_t>(pops_.coupler(to, from))];
  }

 private:
  Pops pops_;
  std::vector<bool> dead_;
};

}  // namespace starloom

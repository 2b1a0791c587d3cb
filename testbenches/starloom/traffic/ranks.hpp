// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A range of permutations as traffic, for planners.
#include <starloom/core/rank_range.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Creates no packets: an offline planner plans each permutation of the range.
class Ranks final : public Traffic {
 public:
  explicit Ranks(RankRange range) : range_(range) {}
  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return 0; }
  std::optional<RankRange> ranks() const override { return range_; }

 private:
  RankRange range_;
};

}  // namespace starloom

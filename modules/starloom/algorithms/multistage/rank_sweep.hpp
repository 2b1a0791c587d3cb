// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All permutations of a range of ranks, planned and counted.
#include <starloom/algorithms/multistage/permutation_ranks.hpp>
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// Routes no packets: the metrics are counts of the plans. The count begins with the call for metrics.
class RankSweep final : public Algorithm {
 public:
  /// \throws InputError if the range has ranks without a permutation.
  RankSweep(const Grid& mesh, const OneBendOptions& options, RankRange range);

  std::unique_ptr<ControllerArray> make_controllers() const override;
  /// `planned`, `above_distance` (plans longer than the greatest distance of their packets), `worst_gap`.
  std::map<std::string, double> metrics() const override;
  const Plan* plan() const override { return &nothing_; }

 private:
  const Grid& mesh_;
  OneBendOptions options_;
  RankRange range_;
  Plan nothing_;
};

}  // namespace starloom::links

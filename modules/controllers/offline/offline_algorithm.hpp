#pragma once
/// \file `offline` as a value.
#include "controllers/star_permutation.hpp"
#include "planners/star_plan.hpp"

namespace starloom {

class OfflineAlgorithm final : public PermutationAlgorithm {
 public:
  explicit OfflineAlgorithm(const StarContext& context)
      : PermutationAlgorithm(context), plan_(plan_permutation(pops(), destination())) {}

  const StarPlan& plan() const { return plan_; }
  StarCrew make_crew() const override;
  double table_bytes() const override;
  std::optional<StarCost> expected_cost() const override { return offline_cost(pops()); }
  std::map<std::string, double> bounds() const override;

 private:
  StarPlan plan_;
};

AlgorithmEntry offline_entry();

}  // namespace starloom

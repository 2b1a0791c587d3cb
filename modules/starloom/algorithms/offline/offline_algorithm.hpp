// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `offline` as a value.
#include <starloom/algorithms/pops/permutation.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/planning/pops/plan.hpp>

namespace starloom::pops {

class OfflineAlgorithm final : public PermutationAlgorithm {
 public:
  explicit OfflineAlgorithm(const AlgorithmContext& context)
      : PermutationAlgorithm(context), plan_(plan_permutation(pops(), destination())) {}

  const Plan& plan() const { return plan_; }
  ControllerSetup make_controllers() const override;
  double table_bytes() const override;
  std::optional<Cost> expected_cost() const override { return offline_cost(pops()); }
  std::map<std::string, double> bounds() const override;

 private:
  Plan plan_;
};

AlgorithmEntry offline_entry();

}  // namespace starloom::pops

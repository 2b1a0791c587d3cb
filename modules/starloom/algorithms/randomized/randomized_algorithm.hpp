// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `randomized` as a value.
#include <optional>

#include <starloom/algorithms/pops/permutation.hpp>
#include <starloom/algorithms/randomized/randomized_rules.hpp>

namespace starloom::pops {

class RandomizedAlgorithm final : public PermutationAlgorithm {
 public:
  /// \throws InputError as RandomizedRules, or for dead couplers where d is not g.
  explicit RandomizedAlgorithm(const AlgorithmContext& context, const RandomizedOptions& options = {});

  std::uint64_t seed() const { return seed_; }
  const RandomizedRules& rules() const { return rules_; }
  ControllerSetup make_controllers() const override;
  const DeadCouplers* dead() const override { return dead_ ? &*dead_ : nullptr; }
  Schedule schedule(const RunRecord& run) const override;
  std::vector<bool> acks_in_cycle() const override;
  std::map<std::string, double> metrics(const RunRecord& run) const override;
  static std::vector<MetricSpec> declared_metrics();
  std::optional<Cost> expected_cost() const override;
  std::string remark() const override;
  std::string livelock_advice() const override;

 private:
  std::uint64_t seed_;
  std::optional<DeadCouplers> dead_;
  RandomizedRules rules_;
};

AlgorithmEntry randomized_entry();

}  // namespace starloom::pops

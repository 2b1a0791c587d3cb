// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `direct` as a value.
#include <starloom/algorithms/pops/permutation.hpp>

namespace starloom::pops {

class DirectAlgorithm final : public PermutationAlgorithm {
 public:
  explicit DirectAlgorithm(const AlgorithmContext& context) : PermutationAlgorithm(context), seed_(context.seed) {}

  std::uint64_t seed() const { return seed_; }
  ControllerSetup make_controllers() const override;
  Schedule schedule(const RunRecord& run) const override;
  std::vector<bool> acks_in_cycle() const override;

 private:
  std::uint64_t seed_;
};

AlgorithmEntry direct_entry();

}  // namespace starloom::pops

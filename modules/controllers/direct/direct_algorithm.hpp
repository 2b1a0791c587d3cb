#pragma once
/// \file `direct` as a value.
#include "controllers/star_permutation.hpp"

namespace starloom {

class DirectAlgorithm final : public PermutationAlgorithm {
 public:
  explicit DirectAlgorithm(const StarContext& context) : PermutationAlgorithm(context), seed_(context.seed) {}

  std::uint64_t seed() const { return seed_; }
  StarCrew make_crew() const override;
  Schedule schedule(const StarRecord& run) const override;
  std::int64_t ack_slots(const StarRecord& run) const override;

 private:
  std::uint64_t seed_;
};

AlgorithmEntry direct_entry();

}  // namespace starloom

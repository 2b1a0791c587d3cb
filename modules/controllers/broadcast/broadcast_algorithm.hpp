#pragma once
/// \file `broadcast` as a value.
#include <vector>

#include "controllers/star_algorithm.hpp"

namespace starloom {

class BroadcastAlgorithm final : public StarAlgorithm {
 public:
  /// \throws UnservedPackets if a packet has a destination, or is not there in slot 0.
  explicit BroadcastAlgorithm(const StarContext& context);

  const std::vector<NodeId>& speakers() const { return speakers_; }  ///< [packet]
  StarCrew make_crew() const override;
  std::optional<StarCost> expected_cost() const override {
    return StarCost{static_cast<double>(speakers_.size()), 0, static_cast<double>(pops().groups()), 0};
  }
  std::map<std::string, double> bounds() const override { return {{"slots", static_cast<double>(speakers_.size())}}; }

 private:
  std::vector<NodeId> speakers_;
};

AlgorithmEntry broadcast_entry();

}  // namespace starloom

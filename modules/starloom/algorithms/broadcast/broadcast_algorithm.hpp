// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `broadcast` as a value.
#include <vector>

#include <starloom/control/pops/algorithm.hpp>

namespace starloom::pops {

class BroadcastAlgorithm final : public Algorithm {
 public:
  /// \throws UnservedPackets if a packet has a destination, or is created after slot 0.
  explicit BroadcastAlgorithm(const AlgorithmContext& context);

  const std::vector<NodeId>& speakers() const { return speakers_; }  ///< [packet]
  ControllerSetup make_controllers() const override;
  std::optional<Cost> expected_cost() const override {
    return Cost{static_cast<double>(speakers_.size()), 0, static_cast<double>(pops().groups()), 0};
  }
  std::map<std::string, double> bounds() const override { return {{"slots", static_cast<double>(speakers_.size())}}; }

 private:
  std::vector<NodeId> speakers_;
};

AlgorithmEntry broadcast_entry();

}  // namespace starloom::pops

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `comparator-sort` as a value.
#include <starloom/algorithms/pops/permutation.hpp>
#include <starloom/planning/pops/optics.hpp>

namespace starloom::pops {

/// \throws InputError as `require_permutation`, or if a processor has no packet: `comparator-sort` requires one per
/// processor.
void require_full_permutation(const Pops& pops, const std::vector<NodeId>& destination);

class ComparatorSortAlgorithm final : public PermutationAlgorithm {
 public:
  /// Measured: memory of the referee for a processor's two copies of each stage.
  static constexpr double remembered_bytes = 135;

  /// \throws UnservedPackets unless the packets are a permutation of all processors.
  explicit ComparatorSortAlgorithm(const AlgorithmContext& context);

  ControllerSetup make_controllers() const override;
  double table_bytes() const override;
  std::optional<Cost> expected_cost() const override { return comparator_sort_cost(pops()); }
  std::map<std::string, double> bounds() const override;
};

AlgorithmEntry comparator_sort_entry();

}  // namespace starloom::pops

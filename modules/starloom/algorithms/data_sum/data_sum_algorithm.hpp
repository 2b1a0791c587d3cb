// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `data-sum` as a value.
#include <vector>

#include <starloom/control/pops/algorithm.hpp>

namespace starloom::pops {

/// The value of a processor is its number.
class DataSumAlgorithm final : public Algorithm {
 public:
  /// \throws UnservedPackets unless each processor has one packet, for processor 0, in slot 0.
  explicit DataSumAlgorithm(const AlgorithmContext& context);

  const std::vector<std::int64_t>& values() const { return values_; }  ///< [node]
  ControllerSetup make_controllers() const override;
  void read_out(const ControllerArray& controllers, RunRecord& record) const override;
  std::optional<Cost> expected_cost() const override;
  std::map<std::string, double> bounds() const override;
  std::map<std::string, double> metrics(const RunRecord& run) const override;
  static std::vector<MetricSpec> declared_metrics();

 private:
  std::vector<std::int64_t> values_;
};

AlgorithmEntry data_sum_entry();

}  // namespace starloom::pops

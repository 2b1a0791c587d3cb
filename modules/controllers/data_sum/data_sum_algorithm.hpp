#pragma once
/// \file `data-sum` as a value.
#include <vector>

#include "controllers/star_algorithm.hpp"

namespace starloom {

/// The value of a processor is its number.
class DataSumAlgorithm final : public StarAlgorithm {
 public:
  /// \throws UnservedPackets unless each processor has one packet, for processor 0, in slot 0.
  explicit DataSumAlgorithm(const StarContext& context);

  const std::vector<std::int64_t>& values() const { return values_; }  ///< [node]
  StarCrew make_crew() const override;
  void read_out(const StarControllers& controllers, StarRecord& record) const override;
  std::optional<StarCost> expected_cost() const override;
  std::map<std::string, double> bounds() const override;
  std::map<std::string, double> figures(const StarRecord& run) const override;

 private:
  std::vector<std::int64_t> values_;
};

AlgorithmEntry data_sum_entry();

}  // namespace starloom

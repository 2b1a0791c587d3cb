// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Statistics of a sample of runs.
#include <cstdint>
#include <optional>
#include <vector>

namespace starloom {

struct Sample {
  std::int64_t runs = 0;
  std::optional<double> mean, median, max;  ///< empty: no runs
  std::optional<double> sd;                 ///< of the population, estimated; needs two runs
  /// 95 % confidence interval of the mean, Student's t, which needs two runs; of a proportion, see below.
  std::optional<double> ci_low, ci_high;
  bool is_proportion = false;
};

Sample sample_of(std::vector<double> values);
/// \param values 1 for true and 0 for false, so that the mean is a proportion.
Sample sample_of_truths(std::vector<double> values);

struct ConfidenceInterval {
  double low = 0, high = 1;
};
/// 95 % confidence interval of a proportion (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
/// Inference", J. American Statistical Association 22(158), 1927): within 0 to 1, and not empty if all are alike.
/// \param total at least 1.
ConfidenceInterval interval_of_proportion(std::int64_t part, std::int64_t total);

/// The difference of the mean from `reference` in standard errors; empty without a standard error. With a standard
/// error of 0: 0 if the mean is the reference, else infinite.
std::optional<double> deviation(const Sample& sample, double reference);

}  // namespace starloom

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
  std::optional<double> ci_low, ci_high;    ///< 95 % confidence interval of the mean, Student's t; needs two runs
};

Sample sample_of(std::vector<double> values);

/// The difference of the mean from `reference` in standard errors; empty without a standard error. With a standard
/// error of 0: 0 if the mean is the reference, else infinite.
std::optional<double> deviation(const Sample& sample, double reference);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Figures of a sample of runs.
#include <cstdint>
#include <optional>
#include <vector>

namespace starloom {

struct Sample {
  std::int64_t runs = 0;
  std::optional<double> mean, median, max;  ///< nothing: no runs
  std::optional<double> sd;                 ///< of the population, estimated; needs two runs
  std::optional<double> ci_low, ci_high;    ///< 95 % interval of the mean, Student's t; needs two runs
};

Sample sample_of(std::vector<double> values);

/// How many standard errors the mean is above `reference`; nothing without a standard error. With one of 0: 0 if the
/// mean is the reference, else infinite.
std::optional<double> deviation(const Sample& sample, double reference);

}  // namespace starloom

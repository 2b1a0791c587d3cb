// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/sample.hpp>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace starloom {

Sample sample_of(std::vector<double> values) {
  Sample sample;
  sample.runs = static_cast<std::int64_t>(values.size());
  if (values.empty()) return sample;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  // The sum of equal values, divided by their number, need not be that value.
  const bool constant = values.front() == values.back();
  const double mean = constant ? values.front() : std::accumulate(values.begin(), values.end(), 0.0) / n;
  const std::size_t middle = values.size() / 2;
  sample.mean = mean;
  sample.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  sample.max = values.back();
  if (values.size() < 2) return sample;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  sample.sd = std::sqrt(squares / (n - 1));
  const boost::math::students_t distribution(n - 1);
  const double half = quantile(complement(distribution, 0.025)) * *sample.sd / std::sqrt(n);
  sample.ci_low = mean - half;
  sample.ci_high = mean + half;
  return sample;
}

Sample sample_of_truths(std::vector<double> values) {
  const auto part = std::count(values.begin(), values.end(), 1);
  Sample sample = sample_of(std::move(values));
  sample.is_proportion = true;
  if (sample.runs == 0) return sample;
  const ConfidenceInterval interval = interval_of_proportion(part, sample.runs);
  sample.ci_low = interval.low;
  sample.ci_high = interval.high;
  return sample;
}

ConfidenceInterval interval_of_proportion(std::int64_t part, std::int64_t total) {
  constexpr double z = 1.959963984540054;  // of the normal distribution, 97.5 %
  const auto n = static_cast<double>(total);
  const double share = static_cast<double>(part) / n;
  const double middle = share + z * z / (2 * n);
  const double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // Rounding does not keep the ends at 0 and 1.
  return {part == 0 ? 0 : (middle - half) / scale, part == total ? 1 : (middle + half) / scale};
}

std::optional<double> deviation(const Sample& sample, double reference) {
  if (!sample.sd) return std::nullopt;
  const double difference = *sample.mean - reference;
  if (*sample.sd > 0) return difference / (*sample.sd / std::sqrt(static_cast<double>(sample.runs)));
  if (difference == 0) return 0;
  return std::copysign(std::numeric_limits<double>::infinity(), difference);
}

}  // namespace starloom

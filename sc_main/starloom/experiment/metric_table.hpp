// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The metrics of result.json, in the order of the file.
#include <optional>
#include <starloom/control/algorithm_entry.hpp>
#include <starloom/schema/metrics.hpp>
#include <string>
#include <vector>

namespace starloom {

/// The metrics of every result, sections before their elements; `bounds` and `algorithm` are empty.
const std::vector<MetricSpec>& common_metrics();
/// An algorithm's own metrics below a section, `bounds` or `algorithm`, with their whole paths; none for other
/// sections.
std::vector<MetricSpec> own_metrics(const AlgorithmEntry& algorithm, const std::string& section);
/// The whole table of an algorithm's results, with its own metrics in `bounds` and `algorithm`.
std::vector<MetricSpec> metric_table(const AlgorithmEntry& algorithm);

/// The section around a path, empty at the top: `queue` of `queue.max`.
std::string section_of(const std::string& path);
/// The paths at the top.
std::vector<std::string> top_level_metrics(const std::vector<MetricSpec>& table);

/// The metrics of the results of some algorithms.
class KnownMetrics {
 public:
  /// `all`: the algorithms that an error names as having the metric. They outlive this object.
  KnownMetrics(std::vector<const AlgorithmEntry*> algorithms, const std::vector<AlgorithmEntry>& all)
      : algorithms_(std::move(algorithms)), all_(all) {}
  explicit KnownMetrics(const std::vector<AlgorithmEntry>& all);
  /// The error in a path, as a sentence; empty if one of the algorithms has such a metric (a number selects from a
  /// list).
  std::optional<std::string> error(const std::string& path) const;
  /// The same for a path that has to be that of a number, or of true or false.
  std::optional<std::string> error_of_number(const std::string& path) const;

 private:
  std::vector<const AlgorithmEntry*> algorithms_;
  const std::vector<AlgorithmEntry>& all_;
};

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The figures that result.json has, in the order in which they are written.
#include <optional>
#include <starloom/control/algorithm_entry.hpp>
#include <starloom/schema/metrics.hpp>
#include <string>
#include <vector>

namespace starloom {

/// What every result has, sections before what is in them; `bounds` and `algorithm` are empty.
const std::vector<MetricSpec>& common_metrics();
/// An algorithm's own figures below a section, `bounds` or `algorithm`, with their whole paths; none below others.
std::vector<MetricSpec> own_metrics(const AlgorithmEntry& algorithm, const std::string& section);
/// The whole table of an algorithm's results: its own figures stand in `bounds` and `algorithm`.
std::vector<MetricSpec> metric_table(const AlgorithmEntry& algorithm);

/// The section around a path, empty at the top: `queue` of `queue.max`.
std::string section_of(const std::string& path);
/// The paths at the top.
std::vector<std::string> top_level_metrics(const std::vector<MetricSpec>& table);

/// The figures that results of some algorithms have.
class KnownMetrics {
 public:
  /// `all`: of whom a fault says that they have the figure. They outlive this.
  KnownMetrics(std::vector<const AlgorithmEntry*> algorithms, const std::vector<AlgorithmEntry>& all)
      : algorithms_(std::move(algorithms)), all_(all) {}
  explicit KnownMetrics(const std::vector<AlgorithmEntry>& all);
  /// What is wrong with a path, as a sentence, or nothing: one of the algorithms has such a figure (a number picks
  /// from a list).
  std::optional<std::string> error(const std::string& path) const;
  /// The same for a path that has to be that of a number, or of true or false.
  std::optional<std::string> error_of_number(const std::string& path) const;

 private:
  std::vector<const AlgorithmEntry*> algorithms_;
  const std::vector<AlgorithmEntry>& all_;
};

}  // namespace starloom

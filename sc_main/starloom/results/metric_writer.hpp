// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Writes metrics according to their table.
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <starloom/control/algorithm_entry.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/schema/metrics.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Metrics of a run by their paths; null if a metric has no value.
using MetricValues = std::map<std::string, nlohmann::ordered_json>;

/// The JSON pointer of a path with dots.
nlohmann::ordered_json::json_pointer pointer(const std::string& path);
/// Integers are written as such.
nlohmann::ordered_json number_json(double value);
/// `{mean, p50, p95, p99, max}`; all are null for an empty sample.
nlohmann::ordered_json statistics_json(const std::optional<Statistics>& statistics);

/// Adds metrics by name below a section: `bounds`, `algorithm`.
void add_metrics(MetricValues& values, const std::string& section, const std::map<std::string, double>& metrics);
/// Adds `schedule`, if there is one.
void add_schedule(MetricValues& values, const std::optional<Schedule>& schedule);

/// The values in the order of the table, each in its section. A metric without a value is null or absent, depending
/// on the table. \throws std::logic_error if a value is not in the table or not of its type, or is missing although
/// the table always has it.
nlohmann::ordered_json arranged(const std::vector<MetricSpec>& table, const MetricValues& values);

}  // namespace starloom

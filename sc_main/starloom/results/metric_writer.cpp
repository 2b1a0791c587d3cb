// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/metric_writer.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <starloom/experiment/metric_table.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

bool is_of_type(const Json& value, const MetricSpec& metric) {
  if (value.is_null()) return !metric.null_if.empty();
  switch (metric.type) {
    case MetricType::integer: return value.is_number_integer();
    case MetricType::number: return value.is_number();
    case MetricType::boolean: return value.is_boolean();
    case MetricType::text: return value.is_string();
    case MetricType::integer_list:
    case MetricType::object_list: return value.is_array();
    case MetricType::section: return false;
    case MetricType::object: return value.is_object();
  }
  return false;
}

/// True if a section contains values.
bool has_members(const MetricValues& values, const std::string& section) {
  const auto first = values.lower_bound(section + ".");
  return first != values.end() && first->first.compare(0, section.size() + 1, section + ".") == 0;
}

/// The result if no value is given; empty: the metric is absent.
std::optional<Json> without_value(const MetricSpec& metric, const MetricValues& values) {
  if (metric.type == MetricType::section && has_members(values, metric.path)) return Json::object();
  if (!metric.only_if.empty()) return std::nullopt;
  if (!metric.null_if.empty()) return Json();
  if (metric.type == MetricType::section) return Json::object();
  throw std::logic_error("the metric " + metric.path + " has no value");
}

/// True if the section around a metric has been written, and is not empty.
bool has_section(const Json& result, const std::string& section) {
  return section.empty() || (result.contains(pointer(section)) && result.at(pointer(section)).is_object());
}

}  // namespace

nlohmann::ordered_json::json_pointer pointer(const std::string& path) {
  std::string text = "/" + path;
  std::replace(text.begin(), text.end(), '.', '/');
  return Json::json_pointer(text);
}

nlohmann::ordered_json number_json(double value) {
  if (value == std::floor(value) && std::abs(value) < 9007199254740992.0) return static_cast<std::int64_t>(value);
  return value;
}

nlohmann::ordered_json statistics_json(const std::optional<Statistics>& statistics) {
  if (!statistics) return {{"mean", nullptr}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  return {{"mean", number_json(statistics->mean)},
          {"p50", statistics->p50},
          {"p95", statistics->p95},
          {"p99", statistics->p99},
          {"max", statistics->max}};
}

void add_metrics(MetricValues& values, const std::string& section, const std::map<std::string, double>& metrics) {
  for (const auto& [name, value] : metrics) values[section + "." + name] = number_json(value);
}

void add_schedule(MetricValues& values, const std::optional<Schedule>& schedule) {
  if (!schedule) return;
  values["schedule.steps"] = schedule->steps;
  values["schedule.unit"] = schedule->unit;
  values["schedule.units"] = schedule->units;
  values["schedule.steps_per_unit"] = schedule->steps_per_unit;
}

nlohmann::ordered_json arranged(const std::vector<MetricSpec>& table, const MetricValues& values) {
  Json result = Json::object();
  std::size_t written = 0;
  for (const MetricSpec& metric : table) {
    if (!has_section(result, section_of(metric.path))) continue;
    const auto given = values.find(metric.path);
    if (given == values.end()) {
      if (auto value = without_value(metric, values)) result[pointer(metric.path)] = std::move(*value);
      continue;
    }
    if (!is_of_type(given->second, metric))
      throw std::logic_error("the metric " + metric.path + " is not of its type: " + given->second.dump());
    result[pointer(metric.path)] = given->second;
    ++written;
  }
  if (written == values.size()) return result;
  for (const auto& [path, value] : values)
    if (!result.contains(pointer(path)))
      throw std::logic_error("the metric " + path +
                             " is not declared; an algorithm's entry declares its bounds and metrics");
  throw std::logic_error("a metric is declared twice");
}

}  // namespace starloom

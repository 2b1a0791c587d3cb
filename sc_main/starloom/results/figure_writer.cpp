// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/figure_writer.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <starloom/experiment/figure_table.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

bool is_of_type(const Json& value, const FigureSpec& figure) {
  if (value.is_null()) return !figure.null_if.empty();
  switch (figure.type) {
    case FigureType::integer: return value.is_number_integer();
    case FigureType::number: return value.is_number();
    case FigureType::boolean: return value.is_boolean();
    case FigureType::text: return value.is_string();
    case FigureType::integer_list:
    case FigureType::object_list: return value.is_array();
    case FigureType::section: return false;
    case FigureType::object: return value.is_object();
  }
  return false;
}

/// True if there are values in a section.
bool has_members(const FigureValues& values, const std::string& section) {
  const auto first = values.lower_bound(section + ".");
  return first != values.end() && first->first.compare(0, section.size() + 1, section + ".") == 0;
}

/// What is written where no value is given; nothing: the metric is absent.
std::optional<Json> without_value(const FigureSpec& figure, const FigureValues& values) {
  if (figure.type == FigureType::section && has_members(values, figure.path)) return Json::object();
  if (!figure.only_if.empty()) return std::nullopt;
  if (!figure.null_if.empty()) return Json();
  if (figure.type == FigureType::section) return Json::object();
  throw std::logic_error("the metric " + figure.path + " has no value");
}

/// True if the section around a figure has been written, with something in it.
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

void add_figures(FigureValues& values, const std::string& section, const std::map<std::string, double>& figures) {
  for (const auto& [name, value] : figures) values[section + "." + name] = number_json(value);
}

void add_schedule(FigureValues& values, const std::optional<Schedule>& schedule) {
  if (!schedule) return;
  values["schedule.steps"] = schedule->steps;
  values["schedule.unit"] = schedule->unit;
  values["schedule.units"] = schedule->units;
  values["schedule.steps_per_unit"] = schedule->steps_per_unit;
}

nlohmann::ordered_json arranged(const std::vector<FigureSpec>& table, const FigureValues& values) {
  Json result = Json::object();
  std::size_t written = 0;
  for (const FigureSpec& figure : table) {
    if (!has_section(result, section_of(figure.path))) continue;
    const auto given = values.find(figure.path);
    if (given == values.end()) {
      if (auto value = without_value(figure, values)) result[pointer(figure.path)] = std::move(*value);
      continue;
    }
    if (!is_of_type(given->second, figure))
      throw std::logic_error("the metric " + figure.path + " is not of its type: " + given->second.dump());
    result[pointer(figure.path)] = given->second;
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

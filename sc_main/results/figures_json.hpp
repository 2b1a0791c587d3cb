#pragma once
/// \file Numbers as result.json has them.
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <starloom/controllers/algorithm_entry.hpp>
#include <string>

namespace starloom {

/// Whole numbers are written as such.
inline nlohmann::ordered_json number_json(double value) {
  if (value == std::floor(value) && std::abs(value) < 9007199254740992.0) return static_cast<std::int64_t>(value);
  return value;
}

/// Figures by name, as `bounds` and `algorithm` hold them; `group.name` stands in an object of its group.
inline nlohmann::ordered_json figures_json(const std::map<std::string, double>& figures) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : figures) {
    const std::size_t dot = name.find('.');
    (dot == std::string::npos ? json[name] : json[name.substr(0, dot)][name.substr(dot + 1)]) = number_json(value);
  }
  return json;
}

inline nlohmann::ordered_json schedule_json(const std::optional<Schedule>& schedule) {
  if (!schedule) return nullptr;
  return {{"steps", schedule->steps},
          {"unit", schedule->unit},
          {"units", schedule->units},
          {"steps_per_unit", schedule->steps_per_unit}};
}

}  // namespace starloom

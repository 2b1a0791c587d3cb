// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <starloom/config/key_reader.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

DocumentValue scalar_at(const SourceLocation& location, std::string text) {
  DocumentValue value;
  value.kind = Kind::scalar;
  value.location = location;
  value.scalar = std::move(text);
  return value;
}

/// The numbers of a range `{from, to, step}` or `{from, to, factor}`; `to` is included if the steps reach it.
class RangeReader {
 public:
  RangeReader(const Axis& axis, const DocumentValue& range, Diagnostics& diagnostics)
      : axis_(axis), range_(range), diagnostics_(diagnostics) {}

  std::vector<DocumentValue> read() {
    check_key_names(range_, {"from", "to", "step", "factor"}, axis_.key, diagnostics_);
    const auto from = number("from"), to = number("to");
    const bool multiplies = range_.find("factor") != nullptr;
    if (multiplies && range_.find("step") != nullptr) return refuse("either step or factor, not both");
    // The default step of integers is 1; other numbers have no default step.
    const auto is_whole = [](const std::optional<double>& value) { return value && *value == std::floor(*value); };
    const bool counts = range_.find("step") == nullptr && is_whole(from) && is_whole(to);
    const auto stride = multiplies ? number("factor") : counts ? 1.0 : number("step");
    if (!from || !to || !stride) return {};
    if (*to < *from) return refuse("the range is empty: to is below from");
    if (multiplies ? *stride <= 1 || *from <= 0 : *stride <= 0)
      return refuse(multiplies ? "factor must be above 1, and from above 0" : "step must be above 0");
    std::vector<DocumentValue> values;
    // The last value may miss `to` by the rounding of decimal fractions.
    const double end = *to + 1e-9 * std::max(std::abs(*to), *stride);
    for (std::size_t i = 0;; ++i) {
      const auto k = static_cast<double>(i);
      const double value = multiplies ? *from * std::pow(*stride, k) : *from + k * *stride;
      if (value > end) return values;
      if (i == most_points) return refuse(fmt::format("more than {} values", most_points));
      values.push_back(scalar_at(range_.location, text(value)));
    }
  }

 private:
  static std::string text(double value) {
    if (value == std::floor(value) && std::abs(value) < 9e15) return std::to_string(static_cast<std::int64_t>(value));
    return fmt::format("{:.12g}", value);
  }
  std::vector<DocumentValue> refuse(const std::string& what) {
    diagnostics_.add(range_.location, fmt::format("{}: {}", axis_.key, what));
    return {};
  }
  std::optional<double> number(const std::string& name) {
    const DocumentValue* value = range_.find(name);
    if (value == nullptr) diagnostics_.add(range_.location, fmt::format("{}: a range needs {}", axis_.key, name));
    else if (!value->number())
      diagnostics_.add(value->location,
                       fmt::format("{}.{}: a number is expected, not {}", axis_.key, name, value->described()));
    return value == nullptr ? std::nullopt : value->number();
  }

  const Axis& axis_;
  const DocumentValue& range_;
  Diagnostics& diagnostics_;
};

/// The axis of one entry, or empty if it has an error.
std::optional<Axis> read_axis(const DocumentEntry& entry, Diagnostics& diagnostics) {
  Axis axis{entry.key, entry.location, {}};
  const std::string first = entry.key.substr(0, entry.key.find('.'));
  const bool hollow = entry.key.empty() || entry.key.front() == '.' || entry.key.back() == '.' ||
                      entry.key.find("..") != std::string::npos;
  if (hollow || first == "expect" || first == "waves" || first == "schema") {
    diagnostics.add(entry.location,
                    fmt::format("{} cannot be an axis because it does not change the result", entry.key));
    return std::nullopt;
  }
  const DocumentValue& value = entry.value;
  if (value.kind == Kind::list) {
    axis.values = value.items;
    if (value.items.empty()) diagnostics.add(entry.location, fmt::format("{}: the axis has no values", entry.key));
  } else if (value.kind == Kind::map) {
    axis.values = RangeReader(axis, value, diagnostics).read();
  } else {
    diagnostics.add(value.location,
                    fmt::format("{}: a list of values or a range {{from, to, step}} is expected, not {}", entry.key,
                                value.described()));
  }
  if (axis.values.empty()) return std::nullopt;
  return axis;
}

bool is_section(const DocumentValue& value, const std::string& name, Diagnostics& diagnostics) {
  if (value.kind == Kind::map) return true;
  diagnostics.add(value.location,
                  fmt::format("{}: a section with a key for each axis is expected, not {}", name, value.described()));
  return false;
}

void read_zip(const DocumentValue& zip, std::vector<AxisGroup>& groups, Diagnostics& diagnostics) {
  if (!is_section(zip, "zip", diagnostics)) return;
  AxisGroup group;
  for (const DocumentEntry& entry : zip.entries)
    if (auto axis = read_axis(entry, diagnostics)) group.axes.push_back(std::move(*axis));
  for (const Axis& axis : group.axes)
    if (axis.values.size() != group.size())
      diagnostics.add(axis.location,
                      fmt::format("zip: {} has {} values, {} has {}; the lists of zip must have the same length",
                                  axis.key, axis.values.size(), group.axes.front().key, group.size()));
  if (zip.entries.empty()) diagnostics.add(zip.location, "zip: no axes");
  if (!group.axes.empty()) groups.push_back(std::move(group));
}

}  // namespace

std::vector<AxisGroup> read_axes(const DocumentValue& campaign, Diagnostics& diagnostics) {
  std::vector<AxisGroup> groups;
  const DocumentValue* axes = campaign.find("axes");
  if (axes != nullptr && is_section(*axes, "axes", diagnostics)) {
    for (const DocumentEntry& entry : axes->entries) {
      if (entry.key == "zip") read_zip(entry.value, groups, diagnostics);
      else if (auto axis = read_axis(entry, diagnostics)) groups.push_back({{std::move(*axis)}});
    }
  }
  if (const DocumentValue* zip = campaign.find("zip")) read_zip(*zip, groups, diagnostics);
  std::stable_sort(groups.begin(), groups.end(), [](const AxisGroup& a, const AxisGroup& b) {
    const SourceLocation &x = a.axes.front().location, &y = b.axes.front().location;
    return std::tie(x.line, x.column) < std::tie(y.line, y.column);
  });
  std::map<std::string, SourceLocation> seen;
  for (const AxisGroup& group : groups)
    for (const Axis& axis : group.axes) {
      const auto [first, fresh] = seen.emplace(axis.key, axis.location);
      if (!fresh)
        diagnostics.add(axis.location, fmt::format("the axis {} is defined twice, first at line {}, column {}",
                                                   axis.key, first->second.line, first->second.column));
    }
  return groups;
}

std::vector<std::string> axis_keys(const std::vector<AxisGroup>& groups) {
  std::vector<std::string> keys;
  for (const AxisGroup& group : groups)
    for (const Axis& axis : group.axes)
      if (axis.key != runs_axis) keys.push_back(axis.key);
  return keys;
}

std::size_t combinations(const std::vector<AxisGroup>& groups) {
  std::size_t product = 1;
  for (const AxisGroup& group : groups) {
    if (group.size() > most_points / product) return most_points + 1;
    product *= group.size();
  }
  return product;
}

std::vector<const DocumentValue*> combination(const std::vector<AxisGroup>& groups, std::size_t number) {
  std::vector<std::size_t> picks(groups.size());
  for (std::size_t g = groups.size(); g-- > 0;) {
    picks[g] = number % groups[g].size();
    number /= groups[g].size();
  }
  std::vector<const DocumentValue*> values;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Axis& axis : groups[g].axes) values.push_back(&axis.values[picks[g]]);
  return values;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/references.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/config/document_json.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DocumentValue::Kind;

/// Reads one row of the table.
class ReferenceReader {
 public:
  ReferenceReader(const DocumentValue& row, const std::vector<AxisGroup>& groups, const KnownMetrics& known,
                  Campaign& campaign, Diagnostics& diagnostics)
      : row_(row), groups_(groups), known_(known), campaign_(campaign), diagnostics_(diagnostics) {}

  void read() {
    if (row_.kind != Kind::map)
      return add_error(row_.location, fmt::format("a section is expected, not {}", row_.described()));
    const auto& table = section_named(campaign_sections(), "reference").keys;
    auto known = names_of(table);
    known.emplace_back("at");
    check_key_names(row_, known, "reference", diagnostics_);
    const KeyValues keys = read_keys(row_, table, "reference", diagnostics_);
    const auto point = find_point();
    if (!keys.has("figure") || !is_known(keys.text("figure")) || !keys.has("value") || !point) return;
    Reference reference;
    reference.location = row_.location;
    reference.metric = keys.text("figure");
    reference.value = keys.number("value");
    if (keys.has("tolerance")) reference.tolerance = keys.number("tolerance");
    if (keys.has("source")) reference.source = keys.text("source");
    reference.point = *point;
    for (const Reference& other : campaign_.references)
      if (other.point == reference.point && other.metric == reference.metric)
        add_error(row_.location, fmt::format("a second value for {} at the same point, first at line {}", other.metric,
                                             other.location.line));
    campaign_.references.push_back(std::move(reference));
  }

 private:
  void add_error(const SourceLocation& location, const std::string& text) {
    diagnostics_.add(location, "reference: " + text);
  }

  bool is_known(const std::string& metric) {
    const SourceLocation& location = row_.find("figure")->location;
    const Metrics& keep = campaign_.keep;
    const auto unknown = known_.error(metric);
    if (unknown) add_error(location, *unknown);
    else if (!keep.all && !contains(keep.paths, metric))
      add_error(location, fmt::format("{} is not a stored metric (keep): {}{}", metric, fmt::join(keep.paths, ", "),
                                      did_you_mean(metric, keep.paths)));
    else return true;
    return false;
  }

  std::optional<std::size_t> find_point() {
    static const DocumentValue nowhere;
    const DocumentValue* at = row_.find("at");
    if (at == nullptr) at = &nowhere;
    if (at->kind != Kind::map && at->kind != Kind::null) {
      add_error(at->location, fmt::format("at: a section of axes is expected, not {}", at->described()));
      return std::nullopt;
    }
    check_duplicates(*at, "at", diagnostics_);
    std::vector<std::pair<std::size_t, Json>> wanted;
    for (const DocumentEntry& entry : at->entries) {
      const auto axis = std::find(campaign_.axes.begin(), campaign_.axes.end(), entry.key);
      if (axis == campaign_.axes.end()) {
        add_error(entry.location, fmt::format("at: {} is not an axis of this campaign{}", entry.key,
                                              did_you_mean(entry.key, campaign_.axes)));
        return std::nullopt;
      }
      wanted.emplace_back(axis - campaign_.axes.begin(), document_json(entry.value));
    }
    std::vector<std::size_t> found;
    for (std::size_t p = 0; p < campaign_.points.size(); ++p)
      if (std::all_of(wanted.begin(), wanted.end(),
                      [&](const auto& want) { return campaign_.points[p].at[want.first] == want.second; }))
        found.push_back(p);
    const SourceLocation& location = at == &nowhere ? row_.location : at->location;
    if (found.empty()) add_error(location, "at: " + why_no_point(wanted));
    if (found.size() > 1)
      add_error(location,
                fmt::format("at: {} points have these values; add every axis that has more than one value: {}",
                            found.size(), fmt::join(unnamed(*at), ", ")));
    return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
  }

  /// The first value that its axis does not have, or that no point with the preceding values has.
  std::string why_no_point(const std::vector<std::pair<std::size_t, Json>>& wanted) const {
    for (const auto& [axis, value] : wanted) {
      std::vector<std::string> values;
      for (const Point& point : campaign_.points)
        if (const std::string text = point.at[axis].dump(); !contains(values, text)) values.push_back(text);
      if (!contains(values, value.dump()))
        return fmt::format("the axis {} has no value {}; it has {}", campaign_.axes[axis], value.dump(),
                           joined(values));
    }
    return "each axis has this value, but no point has all of them, because lists under zip are parallel";
  }

  /// Axes with several values that `at` does not name.
  std::vector<std::string> unnamed(const DocumentValue& at) const {
    std::vector<std::string> keys;
    for (const AxisGroup& group : groups_)
      for (const Axis& axis : group.axes)
        if (group.size() > 1 && axis.key != runs_axis && at.find(axis.key) == nullptr) keys.push_back(axis.key);
    return keys;
  }

  const DocumentValue& row_;
  const std::vector<AxisGroup>& groups_;
  const KnownMetrics& known_;
  Campaign& campaign_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_references(const DocumentValue& section, const std::vector<AxisGroup>& groups, const KnownMetrics& known,
                     Campaign& campaign, Diagnostics& diagnostics) {
  if (section.kind != Kind::list) {
    diagnostics.add(section.location,
                    fmt::format("reference: a list of rows is expected, not {}", section.described()));
    return;
  }
  for (const DocumentValue& row : section.items) ReferenceReader(row, groups, known, campaign, diagnostics).read();
}

}  // namespace starloom

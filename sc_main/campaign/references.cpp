#include <starloom/campaign/references.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/config/document_json.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/core/nearest.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DocumentValue::Kind;

/// Reads one row of the table.
class ReferenceReader {
 public:
  ReferenceReader(const DocumentValue& row, const std::vector<AxisGroup>& groups, const KnownFigures& known,
                  Campaign& campaign, Faults& faults)
      : row_(row), groups_(groups), known_(known), campaign_(campaign), faults_(faults) {}

  void read() {
    if (row_.kind != Kind::map)
      return fault(row_.place, fmt::format("a section is expected, not {}", row_.described()));
    check_key_names(row_, {"at", "figure", "value", "tolerance", "source"}, "reference", faults_);
    Reference reference;
    reference.place = row_.place;
    const bool figure = read_figure(reference);
    const auto value = number("value", true);
    reference.tolerance = number("tolerance", false);
    if (reference.tolerance && *reference.tolerance < 0) fault(row_.find("tolerance")->place, "tolerance is below 0");
    if (const DocumentValue* source = row_.find("source")) {
      if (source->kind == Kind::scalar) reference.source = source->scalar;
      else fault(source->place, fmt::format("source: a text is expected, not {}", source->described()));
    }
    const auto point = find_point();
    if (!figure || !value || !point) return;
    reference.value = *value;
    reference.point = *point;
    for (const Reference& other : campaign_.references)
      if (other.point == reference.point && other.figure == reference.figure)
        fault(row_.place,
              fmt::format("a second value for {} at the same point, first at line {}", other.figure, other.place.line));
    campaign_.references.push_back(std::move(reference));
  }

 private:
  void fault(const Place& place, const std::string& text) { faults_.add(place, "reference: " + text); }

  bool read_figure(Reference& reference) {
    const DocumentValue* figure = row_.find("figure");
    if (figure == nullptr || figure->kind != Kind::scalar) {
      fault(figure == nullptr ? row_.place : figure->place, "figure, a path of result.json, is missing");
      return false;
    }
    reference.figure = figure->scalar;
    const Figures& keep = campaign_.keep;
    if (keep.all) {
      const auto unknown = known_.fault(figure->scalar);
      if (unknown) fault(figure->place, *unknown);
      return !unknown;
    }
    if (std::find(keep.paths.begin(), keep.paths.end(), figure->scalar) != keep.paths.end()) return true;
    fault(figure->place, fmt::format("{} is not among the figures kept: {}{}", figure->scalar,
                                     fmt::join(keep.paths, ", "), did_you_mean(figure->scalar, keep.paths)));
    return false;
  }

  std::optional<double> number(const std::string& name, bool required) {
    const DocumentValue* value = row_.find(name);
    if (value == nullptr) {
      if (required) fault(row_.place, name + " is missing");
      return std::nullopt;
    }
    if (!value->number())
      fault(value->place, fmt::format("{}: a number is expected, not {}", name, value->described()));
    return value->number();
  }

  std::optional<std::size_t> find_point() {
    static const DocumentValue nowhere;
    const DocumentValue* at = row_.find("at");
    if (at == nullptr) at = &nowhere;
    if (at->kind != Kind::map && at->kind != Kind::null) {
      fault(at->place, fmt::format("at: a section of axes is expected, not {}", at->described()));
      return std::nullopt;
    }
    check_duplicates(*at, "at", faults_);
    std::vector<std::pair<std::size_t, Json>> wanted;
    for (const DocumentEntry& entry : at->entries) {
      const auto axis = std::find(campaign_.axes.begin(), campaign_.axes.end(), entry.key);
      if (axis == campaign_.axes.end()) {
        fault(entry.place, fmt::format("at: {} is not an axis of this campaign{}", entry.key,
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
    const Place& place = at == &nowhere ? row_.place : at->place;
    if (found.empty()) fault(place, "at: no point of this campaign has these values");
    if (found.size() > 1)
      fault(place, fmt::format("at: {} points have these values; name every axis that has more than one value: {}",
                               found.size(), fmt::join(unnamed(*at), ", ")));
    return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
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
  const KnownFigures& known_;
  Campaign& campaign_;
  Faults& faults_;
};

}  // namespace

void read_references(const DocumentValue& section, const std::vector<AxisGroup>& groups, const KnownFigures& known,
                     Campaign& campaign, Faults& faults) {
  if (section.kind != Kind::list) {
    faults.add(section.place, fmt::format("reference: a list of rows is expected, not {}", section.described()));
    return;
  }
  for (const DocumentValue& row : section.items) ReferenceReader(row, groups, known, campaign, faults).read();
}

}  // namespace starloom

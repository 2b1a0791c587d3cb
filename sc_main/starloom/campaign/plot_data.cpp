// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/plot_data.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/campaign/pareto.hpp>

namespace starloom {
namespace {

/// The index of a text in a list, to which it is added if it is new.
std::size_t number_in(std::vector<std::string>& list, const std::string& text) {
  const auto found = std::find(list.begin(), list.end(), text);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

}  // namespace

PlotData::PlotData(const Campaign& campaign, const ValueLabels& labels, const Report& report, const PlotView& view)
    : campaign_(campaign), labels_(labels), report_(report), view_(view), axis_(axis_number(campaign, view.x)) {
  bars_ = axis_ && !has_positions(campaign, *axis_);
  for (const std::string& metric : view.y) {
    const auto unit = campaign.units.find(metric);
    number_in(units_, unit == campaign.units.end() ? "" : unit->second);
  }
  const std::string along = axis_ ? view.x : axis_of_curves();
  if (const auto axis = axis_number(campaign, along)) along_axes_ = {*axis};
  for (const std::size_t a : other_axes(campaign, {along})) {
    const bool colours_it = view.series.empty() || contains_axis(view.series, a);
    (colours_it ? colour_axes_ : style_axes_).push_back(a);
  }
  for (const ReportRow& row : report.rows) add(row);
  for (Curve& curve : curves_) finish(curve);
  if (view.pareto) find_front();
}

bool PlotData::empty() const {
  return std::all_of(curves_.begin(), curves_.end(), [](const Curve& curve) {
    return curve.dots.empty() && curve.references.empty() && !curve.saturates;
  });
}

std::string PlotData::x_label() const {
  return axis_ ? axis_label(campaign_, view_.x) : metric_label(campaign_, view_.x);
}
std::string PlotData::y_label(bool right) const {
  std::vector<std::string> names;
  std::string unit;
  for (const std::string& metric : view_.y) {
    if (on_right(metric) != right) continue;
    names.push_back(metric_name(metric));
    unit = metric;
  }
  if (names.size() == 1) return metric_label(campaign_, unit);
  const auto of = campaign_.units.find(unit);
  return fmt::format("{}{}", fmt::join(names, ", "), of == campaign_.units.end() ? "" : " (" + of->second + ")");
}

bool PlotData::contains_axis(const std::vector<std::string>& keys, std::size_t axis) const {
  return std::find(keys.begin(), keys.end(), campaign_.axes[axis]) != keys.end();
}

/// Over a metric, curves run along the axis that would be x among those that do not have colours.
std::string PlotData::axis_of_curves() const {
  const std::string usual = default_plot(campaign_, view_.x).x;
  if (std::find(view_.series.begin(), view_.series.end(), usual) == view_.series.end()) return usual;
  std::string word;
  for (const std::size_t a : other_axes(campaign_, view_.series)) {
    if (has_positions(campaign_, a)) return campaign_.axes[a];
    if (word.empty()) word = campaign_.axes[a];
  }
  return word;
}

bool PlotData::on_right(const std::string& metric) const {
  const auto unit = campaign_.units.find(metric);
  return (unit == campaign_.units.end() ? "" : unit->second) != units_.front();
}

std::string PlotData::values_of(const Point& point, const std::vector<std::size_t>& axes) const {
  std::string text;
  for (const std::size_t a : axes) text += (text.empty() ? "" : ", ") + labels_.of(a, point.at[a]);
  return text;
}

std::optional<double> PlotData::x_of(const ReportRow& row) {
  if (bars_) return static_cast<double>(number_in(words_, labels_.of(*axis_, row.point->at[*axis_])));
  if (axis_) return position(row.point->at[*axis_]);
  for (const ReportRow& other : report_.rows)
    if (other.point == row.point && other.metric == view_.x) return other.sample.mean;
  return std::nullopt;
}

void PlotData::add(const ReportRow& row) {
  if (std::find(view_.y.begin(), view_.y.end(), row.metric) == view_.y.end()) return;
  const auto x = x_of(row);
  const std::string colour = values_of(*row.point, colour_axes_), style = values_of(*row.point, style_axes_);
  std::vector<std::string> parts;
  for (const std::string& part : {colour, style})
    if (!part.empty()) parts.push_back(part);
  if (view_.y.size() > 1 || parts.empty())
    parts.push_back(metric_name(row.metric) + (on_right(row.metric) ? " (right)" : ""));
  const std::string title = fmt::format("{}", fmt::join(parts, ", "));
  auto curve = std::find_if(curves_.begin(), curves_.end(), [&](const Curve& one) { return one.title == title; });
  if (curve == curves_.end()) {
    Curve fresh;
    fresh.title = title;
    // Bars have no dashes: each has a colour of its own.
    fresh.colour = bars_ ? curves_.size() : number_in(colour_values_, colour);
    // When colours repeat, dashes and marks change, too.
    fresh.style = number_in(style_values_, fmt::format("{}|{}|{}", style, row.metric, fresh.colour / plot_colours));
    fresh.on_right = on_right(row.metric);
    fresh.ends_at_saturation =
        view_.ends_at_saturation(row.metric) || (view_.pareto && view_.ends_at_saturation(view_.x));
    curve = curves_.insert(curves_.end(), fresh);
  }
  if (!x) return;
  const Sample& s = row.sample;
  if (row.reference != nullptr) curve->references.emplace_back(*x, row.reference->value);
  if (s.mean)
    curve->dots.push_back({*x, *s.mean, s.ci_low.value_or(*s.mean), s.ci_high.value_or(*s.mean), row.lost > 0,
                           values_of(*row.point, along_axes_)});
}

/// Curves run from left to right, those over a metric in the order of the points.
void PlotData::finish(Curve& curve) {
  if (axis_) std::stable_sort(curve.dots.begin(), curve.dots.end(), [](auto& a, auto& b) { return a.x < b.x; });
  if (!curve.ends_at_saturation || bars_) return;
  if (view_.pareto) {
    const auto kept = std::remove_if(curve.dots.begin(), curve.dots.end(), [](const Dot& dot) { return dot.lost; });
    hidden_ += curve.dots.end() - kept;
    curve.dots.erase(kept, curve.dots.end());
    return;
  }
  const auto cut = std::find_if(curve.dots.begin(), curve.dots.end(), [](const Dot& dot) { return dot.lost; });
  if (cut == curve.dots.end()) return;
  curve.saturates = cut->x;
  curve.dots.erase(cut, curve.dots.end());
}

void PlotData::find_front() {
  std::vector<Dot> complete;
  std::vector<std::pair<double, double>> places;
  for (const Curve& curve : curves_)
    for (const Dot& dot : curve.dots) {
      if (dot.lost) {
        others_.push_back(dot);
        continue;
      }
      complete.push_back(dot);
      places.emplace_back(dot.x, dot.mean);
    }
  const std::vector<std::size_t> best = pareto_front(places);
  for (const std::size_t place : best) front_.push_back(complete[place]);
  for (std::size_t place = 0; place < complete.size(); ++place)
    if (std::find(best.begin(), best.end(), place) == best.end()) others_.push_back(complete[place]);
}

}  // namespace starloom

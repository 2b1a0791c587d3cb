// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The data of one picture of a report.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/campaign/labels.hpp>
#include <starloom/campaign/report.hpp>

namespace starloom {

/// Number of colours of curves, which then repeat with other dashes and marks.
constexpr std::size_t plot_colours = 7;

/// The curves, bars or points of a picture: rows of a report, divided by the values of axes.
class PlotData {
 public:
  /// The mean of a metric at one point of the campaign.
  struct Dot {
    double x = 0;
    double mean = 0, low = 0, high = 0;
    bool lost = false;  ///< runs of it did not complete
    std::string label;  ///< the values of its point that the legend does not name
  };

  /// Means of one metric, as a curve, as the bars of one colour, or as points.
  struct Curve {
    std::string title;
    std::size_t colour = 0, style = 0;
    bool on_right = false, ends_at_saturation = false;
    std::vector<Dot> dots;
    std::vector<std::pair<double, double>> references;
    std::optional<double> saturates;  ///< the first x that is omitted
  };

  /// Refers to all of them.
  PlotData(const Campaign& campaign, const ValueLabels& labels, const Report& report, const PlotView& view);

  bool bars() const { return bars_; }
  bool pareto() const { return view_.pareto; }
  /// The names of bars, by their x.
  const std::vector<std::string>& words() const { return words_; }
  const std::vector<Curve>& curves() const { return curves_; }
  /// The Pareto front from left to right; points that lost runs are not part of it.
  const std::vector<Dot>& front() const { return front_; }
  /// The other points of a plot with a front.
  const std::vector<Dot>& others() const { return others_; }
  /// Number of points that a Pareto plot leaves out because they lost runs.
  std::ptrdiff_t hidden() const { return hidden_; }
  bool empty() const;
  bool has_right() const { return units_.size() > 1; }
  std::string x_label() const;
  /// The metrics of one side; several share their unit.
  std::string y_label(bool right) const;

 private:
  std::string axis_of_curves() const;
  bool contains_axis(const std::vector<std::string>& keys, std::size_t axis) const;
  bool on_right(const std::string& metric) const;
  std::string values_of(const Point& point, const std::vector<std::size_t>& axes) const;
  std::optional<double> x_of(const ReportRow& row);
  void add(const ReportRow& row);
  void finish(Curve& curve);
  void find_front();

  const Campaign& campaign_;
  const ValueLabels& labels_;
  const Report& report_;
  const PlotView& view_;
  std::optional<std::size_t> axis_;  ///< empty: x is a metric
  bool bars_ = false;
  std::vector<std::size_t> colour_axes_, style_axes_, along_axes_;  ///< the last: that along which a curve runs
  std::vector<std::string> words_, units_, colour_values_, style_values_;
  std::vector<Curve> curves_;
  std::vector<Dot> front_, others_;
  std::ptrdiff_t hidden_ = 0;
};

}  // namespace starloom

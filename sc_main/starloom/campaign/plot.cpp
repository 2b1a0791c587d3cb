// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/plot.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <starloom/campaign/labels.hpp>
#include <starloom/campaign/pareto.hpp>
#include <starloom/campaign/quoting.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Colours that remain distinct with any kind of colour blindness (M. Okabe and K. Ito, 2008), without the yellow,
/// which is hard to see on paper.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<int, 6> marks = {7, 5, 9, 13, 11, 15};  ///< filled shapes of gnuplot
constexpr std::size_t dashes = 5;                            ///< types of gnuplot, from 1
constexpr const char* quiet = "#666666";
/// Labels of points that are not part of a Pareto front; more would hide the points.
constexpr std::size_t most_labels = 24;
/// For a picture 840 pixels wide; wide letters are rare.
constexpr double pixels_of_a_letter = 8.2, pixels_of_a_line = 20.5;

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

/// The index of a text in a list, to which it is added if it is new.
std::size_t number_in(std::vector<std::string>& list, const std::string& text) {
  const auto found = std::find(list.begin(), list.end(), text);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

/// Minimum and maximum of the displayed values.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

/// The data of a picture.
class PlotData {
 public:
  PlotData(const Campaign& campaign, const ValueLabels& labels, const Report& report, const PlotView& view)
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

  bool bars() const { return bars_; }
  bool pareto() const { return view_.pareto; }
  /// From left to right; points that lost runs are not part of it.
  const std::vector<Dot>& front() const { return front_; }
  /// The other points of a plot with a front.
  const std::vector<Dot>& others() const { return others_; }
  /// Number of points that a Pareto plot leaves out because they lost runs.
  std::ptrdiff_t hidden() const { return hidden_; }
  const std::vector<std::string>& words() const { return words_; }
  const std::vector<Curve>& curves() const { return curves_; }
  bool empty() const {
    return std::all_of(curves_.begin(), curves_.end(), [](const Curve& curve) {
      return curve.dots.empty() && curve.references.empty() && !curve.saturates;
    });
  }
  bool has_right() const { return units_.size() > 1; }
  std::string x_label() const { return axis_ ? axis_label(campaign_, view_.x) : metric_label(campaign_, view_.x); }
  /// The metrics of one side; several share their unit.
  std::string y_label(bool right) const {
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

 private:
  bool contains_axis(const std::vector<std::string>& keys, std::size_t axis) const {
    return std::find(keys.begin(), keys.end(), campaign_.axes[axis]) != keys.end();
  }
  /// Over a metric, curves run along the axis that would be x among those that do not have colours.
  std::string axis_of_curves() const {
    const std::string usual = default_plot(campaign_, view_.x).x;
    if (std::find(view_.series.begin(), view_.series.end(), usual) == view_.series.end()) return usual;
    std::string word;
    for (const std::size_t a : other_axes(campaign_, view_.series)) {
      if (has_positions(campaign_, a)) return campaign_.axes[a];
      if (word.empty()) word = campaign_.axes[a];
    }
    return word;
  }
  bool on_right(const std::string& metric) const {
    const auto unit = campaign_.units.find(metric);
    return (unit == campaign_.units.end() ? "" : unit->second) != units_.front();
  }
  std::string values_of(const Point& point, const std::vector<std::size_t>& axes) const {
    std::string text;
    for (const std::size_t a : axes) text += (text.empty() ? "" : ", ") + labels_.of(a, point.at[a]);
    return text;
  }
  std::optional<double> x_of(const ReportRow& row) {
    if (bars_) return static_cast<double>(number_in(words_, labels_.of(*axis_, row.point->at[*axis_])));
    if (axis_) return position(row.point->at[*axis_]);
    for (const ReportRow& other : report_.rows)
      if (other.point == row.point && other.metric == view_.x) return other.sample.mean;
    return std::nullopt;
  }

  void add(const ReportRow& row) {
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
      fresh.style = number_in(style_values_, fmt::format("{}|{}|{}", style, row.metric, fresh.colour / colours.size()));
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
  void finish(Curve& curve) {
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
  void find_front() {
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

/// Writes the script of a picture. Its texts are the user's and are quoted as data.
class Script {
 public:
  Script(const PlotView& view, const PlotData& data) : view_(view), data_(data) {
    for (const Curve& curve : data.curves()) {
      if (curve.saturates) x_.add(*curve.saturates);
      for (const Dot& dot : curve.dots) x_.add(dot.x);
      for (const auto& [x, value] : curve.references) x_.add(x);
    }
  }

  std::string text() {
    frame();
    if (data_.pareto()) front();
    for (std::size_t c = 0; c < data_.curves().size(); ++c) {
      if (data_.bars()) bars(c);
      else curve(c);
    }
    for (std::size_t c = 0; c < data_.curves().size(); ++c) points(c);
    explain_marks();
    for (std::size_t f = 0; f < view_.formats.size(); ++f) {
      const std::string& format = view_.formats[f];
      text_ += fmt::format("set terminal {}\nset output '{}.{}'\n", terminal(format), view_.name, format);
      text_ += f == 0 ? fmt::format("plot {}\n", fmt::join(plots_, ", \\\n     ")) : "replot\n";
    }
    return text_ + "set output\n";
  }

 private:
  /// A legend or several lines of names below the picture increase its height instead of decreasing that of the axes;
  /// long titles increase its width.
  std::string terminal(const std::string& format) const {
    const double entries_below = legend_below() ? static_cast<double>(entries()) : 0;
    const double height = 510 + pixels_of_a_line * (lines_below_ + entries_below);  // pixels
    double width = 840;
    for (const Curve& curve : data_.curves())
      width = std::max(width, 130 + pixels_of_a_letter * static_cast<double>(title_room(curve)));
    if (format == "pdf")
      return fmt::format("pdfcairo noenhanced size {:.4g}cm,{:.2f}cm fontscale 0.75", width / 60, height / 60);
    if (format == "svg")
      return fmt::format("svg noenhanced size {:.0f},{:.0f} dynamic font 'sans-serif,13' background '#ffffff'", width,
                         height);
    return fmt::format("pngcairo noenhanced size {:.0f},{:.0f} fontscale 2.2 linewidth 2 pointscale 2", 2 * width,
                       2 * height);
  }
  static std::string reference_title(const Curve& curve) { return "reference: " + curve.title; }
  /// Number of characters of its longest title in the legend.
  static std::size_t title_room(const Curve& curve) {
    return (curve.references.empty() ? curve.title : reference_title(curve)).size();
  }
  /// Long titles would leave no room beside the axes.
  bool legend_below() const {
    return std::any_of(data_.curves().begin(), data_.curves().end(),
                       [](const Curve& curve) { return curve.title.size() > 24; });
  }
  /// Number of entries of the legend.
  std::size_t entries() const {
    return static_cast<std::size_t>(std::count_if(plots_.begin(), plots_.end(), [](const std::string& plot) {
      return plot.find(" title ") != std::string::npos;
    }));
  }
  static const char* side(const Curve& curve) { return curve.on_right ? "axes x1y2 " : ""; }
  static const char* colour(const Curve& curve) { return colours[curve.colour % colours.size()]; }
  /// A repeated colour is lighter.
  double shade(const Curve& curve) const {
    const double rounds = std::ceil(static_cast<double>(data_.curves().size()) / colours.size());
    return 0.95 - std::min(0.35, 0.75 / rounds) * static_cast<double>(curve.colour / colours.size());
  }
  static int mark(const Curve& curve) { return marks[curve.style % marks.size()]; }

  /// Long labels beside an axis have their unit on a separate line.
  static std::string upright(const std::string& label) {
    const std::size_t unit = label.size() > 32 ? label.rfind(" (") : std::string::npos;
    if (unit == std::string::npos) return gnuplot_text(label);
    return gnuplot_text(label.substr(0, unit)) + ".\"\\n\"." + gnuplot_text(label.substr(unit + 1));
  }

  void frame() {
    text_ =
        "set encoding utf8\nset termoption noenhanced\n"
        "set border 3 lc rgb '#444444'\nset tics nomirror out\nset grid ytics lc rgb '#dddddd' lw 0.7 dt 1\n";
    text_ += fmt::format("set key outside {} Left reverse samplen 2.5 width 1\n",
                         legend_below() ? "below maxcols 1 height 1" : "right top");
    text_ +=
        fmt::format("set xlabel {}\nset ylabel {}\n", gnuplot_text(data_.x_label()), upright(data_.y_label(false)));
    if (data_.has_right())
      text_ += fmt::format("set border 11\nset y2tics out\nset y2label {}\n", upright(data_.y_label(true)));
    if (view_.log_x) text_ += "set logscale x\n";
    if (view_.log_y) text_ += data_.has_right() ? "set logscale y\nset logscale y2\n" : "set logscale y\n";
    if (data_.bars()) name_bars();
    else across();
    upward("y", false);
    if (data_.has_right()) upward("y2", true);
  }

  /// The axis ends slightly beyond the data, so that no mark is cut.
  void across() {
    if (view_.range_x) return range("x", view_.range_x->first, view_.range_x->second);
    if (x_.empty() || x_.low == x_.high) return;
    if (view_.log_x) {
      if (x_.low <= 0) return;
      const double ratio = x_.high / x_.low;
      return range("x", x_.low / std::pow(ratio, 0.03 + room_of_labels()), x_.high * std::pow(ratio, 0.03));
    }
    const double beside = (x_.high - x_.low) * 0.03;
    if (data_.pareto()) return range("x", x_.low - beside - room_of_labels() * (x_.high - x_.low), x_.high + beside);
    // From 0 if that costs little room.
    range("x", x_.low >= 0 && x_.low < (x_.high - x_.low) / 4 ? 0 : x_.low - beside, x_.high + beside);
  }
  /// The room that the labels to the left of the points take, as a share of the width of the points.
  double room_of_labels() const {
    std::size_t longest = 0;
    for (const Dot& dot : data_.front()) longest = std::max(longest, dot.label.size() + 2);
    const double axes = legend_below() ? 720 : 380;  // pixels
    const double share = std::min(0.4, pixels_of_a_letter * static_cast<double>(longest) / axes);
    return share / (1 - share);
  }
  void upward(const char* axis, bool right) {
    if (!right && view_.range_y) return range(axis, view_.range_y->first, view_.range_y->second);
    Extent y;
    bool saturates = false;
    for (const Curve& curve : data_.curves()) {
      if (curve.on_right != right) continue;
      saturates = saturates || curve.saturates;
      for (const Dot& dot : curve.dots) {
        y.add(dot.mean);
        y.add(dot.high);
        // Intervals of few runs may reach below 0 although the metric cannot.
        if (dot.low > 0 || dot.mean < 0) y.add(dot.low);
      }
      for (const auto& [x, value] : curve.references) y.add(value);
    }
    if (y.empty() || (view_.log_y && y.low <= 0)) return;
    const double above = saturates ? 0.25 : 0.06;  // of the height, for the marks
    if (view_.log_y) {
      const double ratio = std::max(y.high / y.low, 1.5);
      return range(axis, y.low / std::pow(ratio, 0.06), y.high * std::pow(ratio, above));
    }
    const bool from_zero = data_.bars() ? y.low >= 0 : y.low >= 0 && y.low < y.high * 0.6;
    const double low = from_zero ? 0 : y.low, height = std::max(y.high - low, 1e-9 + 0.01 * std::abs(y.high));
    range(axis, from_zero ? 0 : low - 0.06 * height, low + height * (1 + above));
  }
  /// Few decades have room for numbers between their powers.
  void log_tics(const char* axis, double low, double high) {
    if (high / low > 1000) return;
    std::vector<std::string> tics;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
      for (const int digit : {1, 2, 5})
        if (digit * power >= low && digit * power <= high) tics.push_back(fmt::format("{:g}", digit * power));
    if (tics.size() > 1) text_ += fmt::format("set {}tics ({})\n", axis, fmt::join(tics, ", "));
  }
  void range(const char* axis, double low, double high) {
    if (axis[0] == 'x' ? view_.log_x : view_.log_y) log_tics(axis, low, high);
    text_ += fmt::format("set {}range [{}:{}]\n", axis, low, high);
  }

  std::string block(const std::string& name, const std::vector<std::string>& rows) {
    text_ += fmt::format("${} << END\n{}\nEND\n", name, fmt::join(rows, "\n"));
    return "$" + name;
  }
  static std::vector<std::string> rows_of(const std::vector<Dot>& dots, double shift = 0) {
    std::vector<std::string> rows;
    for (const Dot& dot : dots) rows.push_back(fmt::format("{} {} {} {}", dot.x + shift, dot.mean, dot.low, dot.high));
    return rows;
  }

  /// As vectors, because yerrorbars of gnuplot 5.4 erase the background of their points.
  void intervals(const std::string& data, const Curve& curve, const char* colour) {
    plots_.push_back(
        fmt::format("{} using 1:3:(0):($4-$3) {}with vectors heads size graph 0.005,90 lc rgb '{}' lw 1 notitle", data,
                    side(curve), colour));
  }

  /// The front and its labels, for which there is room below it and to the left, where no point can be. The other
  /// points have theirs to the right if there are few.
  void front() {
    if (data_.front().empty()) return;
    plots_.push_back(fmt::format("{} using 1:2 with lines lc rgb '{}' lw 1.5 title 'Pareto front'",
                                 block("front", rows_of(data_.front())), quiet));
    for (const Dot& dot : data_.front()) label(dot, "right offset -0.7,-0.5", "#000000");
    if (data_.others().size() > most_labels) return;
    for (const Dot& dot : data_.others()) label(dot, "left offset 0.7,0.2", quiet);
  }
  void label(const Dot& dot, const char* place, const char* colour) {
    if (dot.label.empty()) return;
    text_ += fmt::format("set label {} at first {},first {} {} tc rgb '{}' front\n", gnuplot_text(dot.label), dot.x,
                         dot.mean, place, colour);
  }
  void curve(std::size_t number) {
    const Curve& curve = data_.curves()[number];
    const std::string style = fmt::format("lc rgb '{}' dt {} lw {} pt {} ps {} title {}", colour(curve),
                                          curve.style % dashes + 1, 2 + curve.style / (dashes * marks.size()),
                                          mark(curve), data_.pareto() ? 1 : 0.7, gnuplot_text(curve.title));
    if (!curve.dots.empty()) {
      const std::string data = block(fmt::format("mean{}", number), rows_of(curve.dots));
      intervals(data, curve, colour(curve));
      plots_.push_back(fmt::format("{} using 1:2 {}with {} {}", data, side(curve),
                                   data_.pareto() ? "points" : "linespoints", style));
    } else if (curve.saturates) plots_.push_back(fmt::format("keyentry with linespoints {}", style));
    if (!curve.saturates) return;
    // At the upper edge, above the first load that is too high; marks at the same x below each other.
    const double top = 0.98 - 0.05 * below_[*curve.saturates]++;
    const bool seen = !curve.dots.empty() && (!view_.range_y || curve.dots.back().mean < view_.range_y->second);
    if (seen) {
      const Dot& last = curve.dots.back();
      text_ +=
          fmt::format("set arrow from {} {},{} {} to first {},graph {} nohead lc rgb '{}' dt '.' lw 1.5\n", "first",
                      last.x, curve.on_right ? "second" : "first", last.mean, *curve.saturates, top, colour(curve));
    }
    text_ += fmt::format("set label '' at first {},graph {} point pt 8 ps 1.2 lw 2 lc rgb '{}' front\n",
                         *curve.saturates, top, colour(curve));
    cut_ = true;
  }

  /// gnuplot interprets the texts of tics as number formats.
  static std::string as_format(const std::string& text) {
    std::string format;
    for (const char c : text) format.append(c == '%' ? 2 : 1, c);
    return format;
  }
  using Lines = std::vector<std::string>;
  /// A text in lines of at most `width` characters, or of one longer word.
  static Lines in_lines(const std::string& text, std::size_t width) {
    Lines lines(1);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : " ") + word;
      at = end + 1;
    }
    return lines;
  }
  static std::size_t longest_of(const std::vector<Lines>& names) {
    std::size_t longest = 0;
    for (const Lines& lines : names)
      for (const std::string& line : lines) longest = std::max(longest, line.size());
    return longest;
  }
  std::vector<Lines> words_in_lines(std::size_t width) const {
    std::vector<Lines> names;
    for (const std::string& word : data_.words()) names.push_back(in_lines(word, width));
    return names;
  }
  void name_tics(const std::vector<Lines>& names, const char* turned) {
    std::vector<std::string> tics;
    for (const Lines& lines : names) {
      std::vector<std::string> texts;
      for (const std::string& line : lines) texts.push_back(gnuplot_text(as_format(line)));
      tics.push_back(fmt::format("{} {}", fmt::join(texts, ".\"\\n\"."), tics.size()));
    }
    text_ += fmt::format("set xtics scale 0 ({}){}\n", fmt::join(tics, ", "), turned);
  }
  /// Names are horizontal if they fit, in lines; slanted if they are short; else vertical.
  void name_bars() {
    constexpr std::size_t short_name = 24;  ///< characters, as the following
    const std::size_t room = std::max<std::size_t>((legend_below() ? 84 : 60) / data_.words().size(), 1);
    const std::vector<Lines> level = words_in_lines(room), whole = words_in_lines(std::string::npos);
    std::size_t lines = 0;  // that gnuplot does not account for
    if (longest_of(level) <= room) {
      name_tics(level, "");
      for (const Lines& name : level) lines = std::max(lines, name.size() - 1);
    } else if (longest_of(whole) <= short_name) {
      name_tics(whole, " rotate by -30");
    } else {
      // As tics they would take twice the room that they need.
      text_ += "unset xtics\n";
      for (std::size_t w = 0; w < whole.size(); ++w)
        text_ += fmt::format("set label {} at first {},graph 0 rotate by -90 offset 0,-0.7\n",
                             gnuplot_text(whole[w].front()), w);
      lines = static_cast<std::size_t>(
          std::ceil(static_cast<double>(longest_of(whole)) * pixels_of_a_letter / pixels_of_a_line));
    }
    if (lines > 0)
      text_ += fmt::format("set xlabel \"{}\".{}\n", fmt::join(Lines(lines, "\\n"), ""), gnuplot_text(data_.x_label()));
    lines_below_ = static_cast<double>(lines);
    range("x", -0.6, static_cast<double>(data_.words().size()) - 0.4);
  }
  void bars(std::size_t number) {
    const Curve& curve = data_.curves()[number];
    if (curve.dots.empty()) return;
    const auto rows = rows_of(curve.dots, shift(number));
    const std::string data = block(fmt::format("mean{}", number), rows);
    plots_.push_back(fmt::format("{} using 1:2:({}) {}with boxes lc rgb '{}' fs solid {} noborder title {}", data,
                                 width() * 0.92, side(curve), colour(curve), shade(curve), gnuplot_text(curve.title)));
    intervals(data, curve, "#333333");
  }
  /// The width of a bar; the bars of a word take four fifths of its room.
  double width() const { return data_.bars() ? 0.8 / static_cast<double>(data_.curves().size()) : 0; }
  double shift(std::size_t number) const {
    return (static_cast<double>(number) - (static_cast<double>(data_.curves().size()) - 1) / 2) * width();
  }

  /// References, and points with lost runs.
  void points(std::size_t number) {
    const Curve& curve = data_.curves()[number];
    std::vector<Dot> lost;
    std::vector<std::string> references;
    for (const Dot& dot : curve.dots)
      if (dot.lost) lost.push_back(dot);
    for (const auto& [x, value] : curve.references)
      references.push_back(fmt::format("{} {}", x + shift(number), value));
    if (!lost.empty()) {
      plots_.push_back(fmt::format("{} using 1:2 {}with points lc rgb '{}' pt 6 ps 1.7 lw 1.5 notitle",
                                   block(fmt::format("lost{}", number), rows_of(lost, shift(number))), side(curve),
                                   data_.bars() ? quiet : colour(curve)));
      lost_ = true;
    }
    if (!references.empty())
      plots_.push_back(fmt::format("{} using 1:2 {}with points lc rgb '{}' pt 4 ps 1.5 lw 1.5 title {}",
                                   block(fmt::format("reference{}", number), references), side(curve),
                                   data_.bars() ? quiet : colour(curve), gnuplot_text(reference_title(curve))));
  }
  void explain_marks() {
    if (cut_)
      plots_.push_back(fmt::format("keyentry with points lc rgb '{}' pt 8 ps 1.2 lw 2 title 'saturated'", quiet));
    if (data_.hidden() > 0)
      plots_.push_back(fmt::format("keyentry with points lc rgb '{}' pt 8 ps 1.2 lw 2 title 'saturated: {}, not shown'",
                                   quiet, data_.hidden()));
    if (lost_)
      plots_.push_back(fmt::format("keyentry with points lc rgb '{}' pt 6 ps 1.7 lw 1.5 title 'not completed'", quiet));
  }

  const PlotView& view_;
  const PlotData& data_;
  Extent x_;
  std::string text_;
  std::vector<std::string> plots_;
  std::map<double, int> below_;  ///< number of marks at an x
  double lines_below_ = 0;       ///< of the names of bars, besides the first
  bool cut_ = false, lost_ = false;
};

}  // namespace

std::vector<PlotScript> plot_scripts(const Campaign& campaign, const Report& report) {
  std::vector<PlotView> views = campaign.plots.value_or(std::vector<PlotView>());
  if (!campaign.plots) {
    std::set<std::string> seen;
    for (const ReportRow& row : report.rows)
      if (seen.insert(row.metric).second) views.push_back(default_plot(campaign, row.metric));
  }
  const ValueLabels labels(campaign);
  std::vector<PlotScript> scripts;
  for (const PlotView& view : views) {
    if (view.x.empty()) continue;
    const PlotData data(campaign, labels, report, view);
    if (!data.empty()) scripts.push_back({view.name, Script(view, data).text(), view.formats});
  }
  return scripts;
}

}  // namespace starloom

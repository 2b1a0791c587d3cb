// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/plot.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <starloom/campaign/plot_data.hpp>
#include <starloom/campaign/quoting.hpp>

namespace starloom {
namespace {

/// Colours that remain distinct with any kind of colour blindness (M. Okabe and K. Ito, 2008), without the yellow,
/// which is hard to see on paper.
constexpr std::array<const char*, plot_colours> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                           "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<int, 6> marks = {7, 5, 9, 13, 11, 15};  ///< filled shapes of gnuplot
constexpr std::size_t dashes = 5;                            ///< types of gnuplot, from 1
constexpr const char* quiet = "#666666";
/// Labels of points that are not part of a Pareto front; more would hide the points.
constexpr std::size_t most_labels = 24;
/// For a picture 840 pixels wide; wide letters are rare.
constexpr double pixels_of_a_letter = 8.2, pixels_of_a_line = 20.5;

/// Minimum and maximum of the displayed values.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

using Dot = PlotData::Dot;
using Curve = PlotData::Curve;

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

// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/pivot.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <starloom/campaign/labels.hpp>
#include <starloom/campaign/quoting.hpp>

namespace starloom {
namespace {

using Cells = std::vector<std::vector<std::string>>;

/// The values of some axes at the points of a campaign, in its order, each once.
class Heads {
 public:
  Heads(const Campaign& campaign, const ValueLabels& labels, const std::vector<std::string>& keys)
      : campaign_(campaign), labels_(labels) {
    for (const std::string& key : keys) axes_.push_back(*axis_number(campaign, key));
    for (const Point& point : campaign.points) {
      const auto values = values_of(point);
      if (std::find(values_.begin(), values_.end(), values) == values_.end()) values_.push_back(values);
    }
  }
  const std::vector<std::vector<std::string>>& values() const { return values_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const std::size_t a : axes_) names.push_back(axis_label(campaign_, campaign_.axes[a]));
    return names;
  }
  std::size_t index(const Point& point) const {
    return static_cast<std::size_t>(std::find(values_.begin(), values_.end(), values_of(point)) - values_.begin());
  }

 private:
  std::vector<std::string> values_of(const Point& point) const {
    std::vector<std::string> values;
    for (const std::size_t a : axes_) {
      const auto& value = point.at[a];
      // The heading above a number names its axis.
      values.push_back(value.is_number() ? value.dump() : labels_.of(a, value));
    }
    return values;
  }

  const Campaign& campaign_;
  const ValueLabels& labels_;
  std::vector<std::size_t> axes_;
  std::vector<std::vector<std::string>> values_;
};

/// The points of a metric by the values of two groups of axes.
class Pivot {
 public:
  Pivot(const Campaign& campaign, const ValueLabels& labels, const Report& report, const TableView& view)
      : campaign_(campaign), view_(view), rows_(campaign, labels, view.rows), columns_(campaign, labels, view.columns) {
    cells_.assign(rows_.values().size(), std::vector<const ReportRow*>(columns_.values().size()));
    for (const ReportRow& row : report.rows)
      if (row.metric == view.metric) cells_[rows_.index(*row.point)][columns_.index(*row.point)] = &row;
  }

  std::string markdown() const {
    Cells rows = {head(markdown_text)};
    fill(
        rows, markdown_text, [](const Sample& s) { return mean_text(s, "{} ± {}", "{} ({} to {})"); }, "\\*");
    std::string text =
        fmt::format("{} by {}:\n\n{}", markdown_text(metric_label(campaign_, view_.metric)),
                    markdown_text(fmt::format("{}", fmt::join(columns_.names(), ", "))), markdown_table(rows));
    return any_lost() ? text + "\n\\* " + remark : text;
  }
  std::string csv() const {
    const auto cell = [](const std::string& one) { return csv_cell(one); };
    std::string text;
    auto names = head(cell);
    for (std::size_t i = names.size(); i-- > rows_.names().size();)
      names.insert(names.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                   csv_cell("lost: " + columns_text(i - rows_.names().size())));
    text = fmt::format("{}\n", fmt::join(names, ","));
    for (std::size_t r = 0; r < cells_.size(); ++r) {
      std::vector<std::string> line;
      for (const std::string& value : rows_.values()[r]) line.push_back(cell(value));
      for (const ReportRow* row : cells_[r]) {
        line.push_back(row != nullptr && row->sample.mean ? fmt::format("{}", *row->sample.mean) : "");
        line.push_back(row != nullptr ? std::to_string(row->lost) : "");
      }
      text += fmt::format("{}\n", fmt::join(line, ","));
    }
    return text;
  }
  /// For the packages booktabs and inputenc; to be included with `\input`.
  std::string latex() const {
    Cells rows;
    fill(
        rows, latex_text, [](const Sample& s) { return mean_text(s, "${} \\pm {}$", "${}$ (${}$ to ${}$)"); },
        "$^{*}$");
    const std::size_t left = rows_.names().size(), right = columns_.values().size();
    std::string text =
        fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n", std::string(left, 'l'), std::string(right, 'r'));
    text += fmt::format(
        "{}\\multicolumn{{{}}}{{c}}{{{}}} \\\\\n\\cmidrule(lr){{{}-{}}}\n", std::string(left, '&') + " ", right,
        latex_text(fmt::format("{}, by {}", metric_label(campaign_, view_.metric), fmt::join(columns_.names(), ", "))),
        left + 1, left + right);
    text += fmt::format("{} \\\\\n\\midrule\n", fmt::join(head(latex_text), " & "));
    for (const auto& row : rows) text += fmt::format("{} \\\\\n", fmt::join(row, " & "));
    text += "\\bottomrule\n";
    if (any_lost())
      text += fmt::format("\\multicolumn{{{}}}{{l}}{{\\footnotesize $^{{*}}$ {}}} \\\\\n", left + right,
                          latex_text(remark.substr(0, remark.size() - 1)));
    return text + "\\end{tabular}\n";
  }

 private:
  inline static const std::string remark = "not all runs completed; latencies are those of delivered packets\n";

  std::string columns_text(std::size_t column) const {
    return fmt::format("{}", fmt::join(columns_.values()[column], ", "));
  }
  template <class Quote>
  std::vector<std::string> head(const Quote& quote) const {
    std::vector<std::string> cells;
    for (const std::string& name : rows_.names()) cells.push_back(quote(name));
    for (std::size_t c = 0; c < columns_.values().size(); ++c) cells.push_back(quote(columns_text(c)));
    return cells;
  }
  template <class Quote, class Mean>
  void fill(Cells& rows, const Quote& quote, const Mean& mean, const std::string& star) const {
    for (std::size_t r = 0; r < cells_.size(); ++r) {
      auto& line = rows.emplace_back();
      for (const std::string& value : rows_.values()[r]) line.push_back(quote(value));
      for (const ReportRow* row : cells_[r]) {
        const bool shown = row != nullptr && row->sample.mean;
        // Runs without success have no mean: their outcomes are written instead.
        line.push_back(shown ? mean(row->sample) + (row->lost > 0 ? star : "")
                             : quote(row == nullptr ? "" : row->outcomes));
      }
    }
  }
  /// As many digits of the mean as its confidence interval supports.
  /// \param form of the mean and half the interval; `proportion`: of the mean and both ends of the interval.
  static std::string mean_text(const Sample& s, const char* form, const char* proportion) {
    if (!s.ci_high || *s.ci_high == *s.ci_low) return fmt::format("{:.4g}", *s.mean);
    const double half = (*s.ci_high - *s.ci_low) / 2;
    const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(half))), 0, 6);
    if (s.is_proportion)
      return fmt::format(fmt::runtime(proportion), fmt::format("{:.{}f}", *s.mean, digits),
                         fmt::format("{:.{}f}", *s.ci_low, digits), fmt::format("{:.{}f}", *s.ci_high, digits));
    return fmt::format(fmt::runtime(form), fmt::format("{:.{}f}", *s.mean, digits),
                       fmt::format("{:.{}f}", half, digits));
  }
  bool any_lost() const {
    return std::any_of(cells_.begin(), cells_.end(), [](const auto& row) {
      return std::any_of(row.begin(), row.end(),
                         [](const ReportRow* cell) { return cell != nullptr && cell->lost > 0; });
    });
  }

  const Campaign& campaign_;
  const TableView& view_;
  Heads rows_, columns_;
  std::vector<std::vector<const ReportRow*>> cells_;  ///< [row][column]; null: no such point
};

}  // namespace

std::vector<TableText> table_texts(const Campaign& campaign, const Report& report) {
  const ValueLabels labels(campaign);
  std::vector<TableText> texts;
  for (const TableView& view : campaign.tables) {
    const Pivot pivot(campaign, labels, report, view);
    for (const std::string& format : view.formats) {
      if (format == "markdown") texts.push_back({view.name + ".md", format, pivot.markdown()});
      if (format == "csv") texts.push_back({view.name + ".csv", format, pivot.csv()});
      if (format == "latex") texts.push_back({view.name + ".tex", format, pivot.latex()});
    }
  }
  return texts;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/collectives_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <starloom/pictures/svg.hpp>
#include <starloom/results/xml.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

constexpr int width = 960, left = 76, right = width - 30, top = 94;
constexpr std::int32_t most_rows = 256;
constexpr int most_lanes = 4;  ///< of a rank; further bars cover those of the last one
constexpr std::size_t most_bars = 6'000, most_samples = 40'000;
constexpr std::size_t colours = 8, most_names = 10;

// The colours of the page of `starloom replay` (waveforms/replay/palette.js).
constexpr const char* bar_style =
    ".c{fill:#98a1ab}.n0{fill:#0072b2}.n1{fill:#e69f00}.n2{fill:#009e73}.n3{fill:#cc79a7}.n4{fill:#56b4e9}"
    ".n5{fill:#d55e00}.n6{fill:#b5a800}.n7{fill:#8d6fd1}.open{fill-opacity:.5}.axis{fill:none;stroke:#8b939d}";

/// A bar in its row.
struct PlacedBar {
  std::int32_t row = 0;
  int lane = 0;
  Step start = 0, finish = 0;
  std::string colour;  ///< its class of CSS
  std::string name;    ///< of the operation
  std::string title;
};

class Plot {
 public:
  Plot(std::vector<OperationBar> bars, std::int32_t ranks, Step end)
      : end_(std::max<Step>(end, 1)),
        ranks_(ranks),
        every_((ranks + most_rows - 1) / most_rows),
        rows_((ranks + every_ - 1) / every_) {
    bars.erase(std::remove_if(bars.begin(), bars.end(),
                              [this](const OperationBar& bar) {
                                return bar.start == no_step || bar.start == bar.finish || bar.rank % every_ != 0;
                              }),
               bars.end());
    // Colours are in the order of the program.
    for (const OperationBar& bar : bars)
      if (!bar.is_compute && number_.emplace(bar.name, number_.size()).second) names_.push_back(bar.name);
    std::stable_sort(bars.begin(), bars.end(), [](const OperationBar& a, const OperationBar& b) {
      return std::tie(a.rank, a.start) < std::tie(b.rank, b.start);
    });
    has_computations_ = std::any_of(bars.begin(), bars.end(), [](const OperationBar& bar) { return bar.is_compute; });
    place(bars);
    std::stable_sort(bars_.begin(), bars_.end(), [](const PlacedBar& a, const PlacedBar& b) {
      return std::tie(a.row, a.lane, a.start) < std::tie(b.row, b.lane, b.start);
    });
    height_ = std::clamp(480 / std::max(1, rows_ * lanes_), 1, 14);
  }

  std::string draw(const std::string& title) const {
    Svg svg(title, bar_style);
    svg.text(20, 24, title, "text big");
    svg.text(20, 44,
             fmt::format("the operations of {}, steps 0 to {}{}", counted(ranks_, "rank"), end_,
                         every_ > 1 ? fmt::format("; every {}th rank is shown", every_) : ""),
             "dim");
    legend(svg);
    if (bars_.size() <= most_bars) draw_bars(svg);
    else draw_samples(svg);
    axes(svg);
    return svg.str(width, bottom() + 56);
  }

 private:
  int x_of(Step step) const {
    return left + static_cast<int>(static_cast<double>(step) / static_cast<double>(end_) * (right - left));
  }
  int gap() const { return height_ > 3 ? (lanes_ > 1 ? 5 : 2) : 0; }
  int y_of(std::int32_t row) const { return top + row * (lanes_ * height_ + gap()); }
  int bottom() const { return y_of(rows_); }

  /// Bars of a rank at the same time are in different lanes.
  void place(const std::vector<OperationBar>& bars) {
    std::vector<Step> free;  // [lane] the end of its last bar
    std::int32_t rank = -1;
    for (const OperationBar& bar : bars) {
      if (bar.rank != rank) free.clear();
      rank = bar.rank;
      const Step finish = bar.finish == no_step ? end_ : std::min(bar.finish, end_);
      auto lane = std::find_if(free.begin(), free.end(), [&](Step until) { return until <= bar.start; });
      if (lane == free.end() && free.size() < most_lanes) lane = free.insert(free.end(), 0);
      if (lane == free.end()) --lane;
      *lane = finish;
      const auto number = static_cast<int>(lane - free.begin());
      lanes_ = std::max(lanes_, number + 1);
      const bool open = bar.finish == no_step;
      bars_.push_back({rank / every_, number, bar.start, finish,
                       bar.is_compute ? "c" : fmt::format("n{}", number_.at(bar.name) % colours), bar.name,
                       fmt::format("{}[{}], rank {}: {}", bar.name, bar.instance, rank,
                                   open ? fmt::format("from step {} on, not finished", bar.start)
                                        : fmt::format("steps {} to {}", bar.start, bar.finish))});
      if (open) bars_.back().colour += " open";
    }
  }

  void draw_bars(Svg& svg) const {
    for (const PlacedBar& bar : bars_) {
      const int pixels = x_of(bar.finish) - x_of(bar.start);
      svg.add(fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
                          bar.colour, x_of(bar.start), y_of(bar.row) + bar.lane * height_,
                          pixels > 3 ? pixels - 1 : std::max(1, pixels), height_, escaped(bar.title)));
    }
  }

  /// Draws the bars that are under way in the middle of columns of pixels.
  void draw_samples(Svg& svg) const {
    std::map<std::pair<std::string, std::string>, std::string> paths;  // of colour and name
    int column = 1;
    for (std::size_t samples = most_samples + 1; samples > most_samples; column *= 2) samples = sample(column, paths);
    for (const auto& [key, path] : paths)
      svg.add(
          fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n", key.first, path, escaped(key.second)));
  }

  /// Replaces the paths by those of columns of some pixels. \return the number of rectangles, if it is not too large
  std::size_t sample(int column, std::map<std::pair<std::string, std::string>, std::string>& paths) const {
    paths.clear();
    std::size_t count = 0;
    const auto column_of = [&](Step step) {
      const double pixels = static_cast<double>(step) / static_cast<double>(end_) * (right - left);
      return static_cast<int>(std::ceil(pixels / column - 0.5));
    };
    for (auto bar = bars_.begin(); bar != bars_.end() && count <= most_samples;) {
      // Bars of an operation in adjacent columns become one.
      const int from = column_of(bar->start);
      int to = column_of(bar->finish);
      auto next = bar + 1;
      const auto continues = [&] {
        return next != bars_.end() && next->row == bar->row && next->lane == bar->lane &&
               (column_of(next->finish) <= to ||
                (next->colour == bar->colour && next->name == bar->name && column_of(next->start) <= to));
      };
      for (; continues(); ++next) to = std::max(to, column_of(next->finish));
      if (to > from) {
        ++count;
        paths[{bar->colour, bar->name}] +=
            fmt::format("M{} {}h{}v{}H{}z", left + from * column, y_of(bar->row) + bar->lane * height_,
                        (to - from) * column, height_, left + from * column);
      }
      bar = next;
    }
    return count;
  }

  void legend(Svg& svg) const {
    int x = 20;
    const auto entry = [&](const std::string& colour, const std::string& name) {
      svg.add(fmt::format("<rect class=\"{}\" x=\"{}\" y=\"58\" width=\"12\" height=\"12\"/>\n", colour, x));
      svg.text(x + 17, 68, name, "dim");
      x += 34 + 7 * static_cast<int>(name.size());
    };
    if (has_computations_) entry("c", "computation");
    for (std::size_t number = 0; number < names_.size(); ++number) {
      const std::string& name = names_[number];
      const bool fits = number < most_names && x + 34 + 7 * static_cast<int>(name.size()) < right - 80;
      if (!fits) {
        svg.text(x, 68, fmt::format("and {} more", names_.size() - number), "dim");
        return;
      }
      entry(fmt::format("n{}", number % colours), name);
    }
  }

  void axes(Svg& svg) const {
    svg.add(fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", left - 2, top, bottom(), right));
    const std::int64_t tick = round_number((end_ + 7) / 8);
    for (Step step = 0; step <= end_; step += tick) {
      svg.add(fmt::format("<path class=\"axis\" d=\"M{} {}v4\"/>\n", x_of(step), bottom()));
      svg.text(x_of(step), bottom() + 18, std::to_string(step), "dim mid");
    }
    svg.text((left + right) / 2, bottom() + 40, "step", "dim mid");
    svg.text(left - 10, top - 6, "rank", "dim end");
    const int row_height = lanes_ * height_ + gap();
    const auto labels = static_cast<std::int32_t>(round_number((14 + row_height - 1) / row_height));
    for (std::int32_t row = 0; row < rows_; row += labels)
      svg.text(left - 10, y_of(row) + lanes_ * height_ / 2 + 4, std::to_string(row * every_), "dim end");
  }

  const Step end_;
  const std::int32_t ranks_;
  const std::int32_t every_;  ///< the ranks that are multiples of it have rows
  const std::int32_t rows_;
  std::map<std::string, std::size_t> number_;  ///< by name; it selects the colour
  std::vector<std::string> names_;
  bool has_computations_ = false;
  std::vector<PlacedBar> bars_;  ///< by row, lane and start
  int lanes_ = 1;
  int height_ = 1;  ///< of a lane
};

}  // namespace

std::string collectives_picture(std::vector<OperationBar> bars, std::int32_t ranks, Step end,
                                const std::string& title) {
  return Plot(std::move(bars), std::max(ranks, 1), end).draw(title);
}

}  // namespace starloom::links

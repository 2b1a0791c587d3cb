// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/latency_picture.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/pictures/svg.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom {
namespace {

constexpr int most_bars = 48;
constexpr int width = 720, height = 380;
constexpr int left = 70, most_right = width - 30, top = 96, bottom = height - 54;  // of the area of the bars
constexpr int most_pixels = 120;  // of a bar: few bars leave the right of the area empty

constexpr const char* style =
    ".bar{fill:#2f7fc1}.axis{fill:none;stroke:#8b939d}.mark{stroke:#d55e00;stroke-dasharray:4 3}.hot{fill:#d55e00}";

/// Bars of `bin` steps each from `first` on.
struct Bars {
  std::int64_t first = 0;
  std::int64_t bin = 1;
  std::vector<std::int64_t> counts;

  explicit Bars(const Histogram& latencies) {
    const std::int64_t least = nearest_rank(latencies, 0), most = nearest_rank(latencies, 100);
    // The first bar begins at a multiple of its width, which may require one bar more.
    bin = round_number((most - least) / (most_bars - 1) + 1);
    first = least / bin * bin;
    counts.resize(static_cast<std::size_t>((most - first) / bin + 1));
    latencies.for_each([this](std::int64_t latency, std::int64_t packets) {
      counts[static_cast<std::size_t>((latency - first) / bin)] += packets;
    });
  }
};

class Plot {
 public:
  Plot(const Bars& bars, const std::string& unit, Svg& svg) : bars_(bars), unit_(unit), svg_(svg) {
    most_ = *std::max_element(bars_.counts.begin(), bars_.counts.end());
    right_ = std::min(most_right, left + static_cast<int>(bars_.counts.size()) * most_pixels);
  }

  void draw(const Statistics& metrics) {
    draw_heights();
    for (std::size_t i = 0; i < bars_.counts.size(); ++i) {
      const std::int64_t from = bars_.first + static_cast<std::int64_t>(i) * bars_.bin;
      const std::string steps =
          bars_.bin == 1 ? fmt::format("{}", from) : fmt::format("{} to {}", from, from + bars_.bin - 1);
      const int tall = scaled(bars_.counts[i]);
      svg_.add(fmt::format(
          "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} {}: {}</title></rect>\n", edge(i),
          bottom - tall, std::max(1, edge(i + 1) - edge(i) - 1), tall, steps, unit_, bars_.counts[i]));
    }
    draw_steps();
    int row = 0;
    for (const auto& [name, latency] : {std::pair{"p50", metrics.p50}, {"p95", metrics.p95}, {"p99", metrics.p99}})
      mark(name, latency, row++);
  }

 private:
  int scaled(std::int64_t count) const {
    const int tall = static_cast<int>(count * (bottom - top) / most_);
    return count > 0 ? std::max(1, tall) : 0;
  }
  /// The middle of the bar that contains a latency.
  int across(std::int64_t latency) const {
    return middle(static_cast<std::size_t>((latency - bars_.first) / bars_.bin));
  }
  /// The left edge of a bar; together they fill the area.
  int edge(std::size_t bar) const {
    return left + static_cast<int>(bar * static_cast<std::size_t>(right_ - left) / bars_.counts.size());
  }
  int middle(std::size_t bar) const { return (edge(bar) + edge(bar + 1)) / 2; }

  void draw_heights() {
    const std::int64_t tick = round_number((most_ + 4) / 5);
    for (std::int64_t count = 0; count <= most_; count += tick) {
      const int y = bottom - static_cast<int>(count * (bottom - top) / most_);
      svg_.add(fmt::format("<path class=\"axis\" d=\"M{} {}h4\"/>\n", left - 6, y));
      svg_.text(left - 10, y + 4, std::to_string(count), "dim end");
    }
    svg_.text(10, top - 16, "packets", "dim");
  }
  void draw_steps() {
    svg_.add(fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", left - 2, top, bottom, right_));
    // Numbers under every k-th bar, so that they do not overlap.
    const auto widest = static_cast<int>(
        std::to_string(bars_.first + static_cast<std::int64_t>(bars_.counts.size()) * bars_.bin).size());
    const auto every = round_number((widest * 8 + 10) / std::max(1, edge(1) - left) + 1);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(bars_.counts.size()); i += every)
      svg_.text(middle(static_cast<std::size_t>(i)), bottom + 16, std::to_string(bars_.first + i * bars_.bin),
                "dim mid");
    svg_.text((left + right_) / 2, bottom + 40,
              bars_.bin == 1 ? "latency in " + unit_ : fmt::format("latency ({0}), bin width {1}", unit_, bars_.bin),
              "dim mid");
  }
  void mark(const char* name, std::int64_t latency, int row) {
    const int x = across(latency), y = top - 2 - 14 * (2 - row);
    svg_.add(fmt::format("<path class=\"mark\" d=\"M{} {}V{}\"/>\n", x, y, bottom));
    const bool at_the_edge = x > right_ - 70;
    svg_.text(at_the_edge ? x - 5 : x + 5, y + 8, fmt::format("{} {}", name, latency), at_the_edge ? "hot end" : "hot");
  }

  const Bars& bars_;
  const std::string& unit_;
  Svg& svg_;
  std::int64_t most_ = 1;
  int right_ = most_right;  ///< where the last bar ends
};

}  // namespace

std::string latency_picture(const Histogram& latencies, std::int64_t missing, const std::string& title,
                            const std::string& unit) {
  Svg svg(title, style);
  svg.text(20, 24, title, "text big");
  const auto metrics = statistics_of(latencies);
  if (!metrics) {
    svg.text(20, 44, "no packet was delivered", "dim");
    return svg.str(width, height);
  }
  svg.text(20, 44,
           fmt::format("{} packet{}, latency mean {:.2f}, max {} {}{}", latencies.count(),
                       latencies.count() == 1 ? "" : "s", metrics->mean, metrics->max, unit,
                       missing == 0 ? "" : fmt::format("; {} more not delivered", missing)),
           "dim");
  const Bars bars(latencies);
  Plot(bars, unit, svg).draw(*metrics);
  return svg.str(width, height);
}

}  // namespace starloom

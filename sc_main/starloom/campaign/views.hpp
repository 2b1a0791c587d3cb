// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pictures and tables that a campaign file requests: `plot:` and `table:`.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/config/document.hpp>

namespace starloom {

struct Campaign;
class KnownMetrics;

/// One picture.
struct PlotView {
  std::string x;                    ///< an axis of the campaign, or a metric that is kept
  std::vector<std::string> y;       ///< metrics
  std::vector<std::string> series;  ///< axes that determine the colour of a curve
  bool log_x = false, log_y = false;
  std::optional<std::pair<double, double>> range_x, range_y;
  std::optional<bool> until_saturation;  ///< curves end where runs no longer complete; not given: those of latencies do
  bool pareto = false;                   ///< points of two metrics, not curves, and their Pareto front
  std::vector<std::string> formats = {"svg", "png"};
  std::string name;  ///< of its files, without suffix

  bool ends_at_saturation(const std::string& metric) const;
};

/// One table: the mean of a metric by the values of some axes and others.
struct TableView {
  std::vector<std::string> rows, columns;  ///< axes
  std::string metric;
  std::vector<std::string> formats = {"markdown"};
  std::string name;  ///< of its files, without suffix
};

/// Reads `plot` and `table` of a campaign with its points.
void read_views(const DocumentValue& document, const KnownMetrics& known, Campaign& campaign, Diagnostics& diagnostics);

/// The picture of a metric if there is no `plot`: over the first axis of numbers with several values, or else of
/// words. An empty `x`: there is none.
PlotView default_plot(const Campaign& campaign, const std::string& metric);

/// The position of a value on its axis: a number; for a shape its first side. Empty: it is a word.
std::optional<double> position(const nlohmann::ordered_json& value);

/// True if all values of an axis have different positions, and none is a word.
bool has_positions(const Campaign& campaign, std::size_t axis);

/// The axes, by number, that still have several values at a point of the campaign once those of `given` are chosen.
std::vector<std::size_t> other_axes(const Campaign& campaign, const std::vector<std::string>& given);

/// The number of an axis of the campaign, or empty.
std::optional<std::size_t> axis_number(const Campaign& campaign, const std::string& key);

}  // namespace starloom

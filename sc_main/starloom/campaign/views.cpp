// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/views.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DocumentValue::Kind;

const std::vector<std::string> plot_formats = {"svg", "png", "pdf"};
const std::vector<std::string> table_formats = {"markdown", "csv", "latex"};

/// The name of a file for a metric.
std::string file_name(const std::string& metric) {
  std::string name;
  for (const char c : metric) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name;
}

/// Reads one row of `plot` or of `table`.
class ViewReader {
 public:
  ViewReader(const std::string& section, const DocumentValue& row, const KnownMetrics& known, const Campaign& campaign,
             Diagnostics& diagnostics)
      : section_(section), row_(row), known_(known), campaign_(campaign), diagnostics_(diagnostics) {
    if (row.kind != Kind::map) add_error(row.location, fmt::format("a section is expected, not {}", row.described()));
    else check_key_names(row, names_of(section_named(campaign_sections(), section).keys), section, diagnostics);
  }

  std::optional<PlotView> plot() {
    if (row_.kind != Kind::map) return std::nullopt;
    PlotView view;
    view.y = metrics("y");
    if (view.y.empty()) return std::nullopt;
    std::set<std::string> units;
    for (const std::string& metric : view.y) {
      const auto unit = campaign_.units.find(metric);
      units.insert(unit == campaign_.units.end() ? "" : unit->second);
    }
    if (units.size() > 2)
      add_error(row_.find("y")->location, "y: a plot has at most two units; write one plot per unit");
    const PlotView usual = default_plot(campaign_, view.y.front());
    view.x = x_of(usual.x);
    view.series = row_.find("series") == nullptr ? std::vector<std::string>{} : axes("series");
    const auto logs = words("log", {"x", "y"});
    view.log_x = contains(logs, "x");
    view.log_y = contains(logs, "y");
    const auto axis = axis_number(campaign_, view.x);
    if (view.log_x && axis && !has_positions(campaign_, *axis))
      add_error(row_.find("log")->location, fmt::format("log: the axis {} is not numeric", view.x));
    if (const DocumentValue* range = row_.find("range")) read_ranges(*range, view);
    const auto until = words("until", {"saturation", "end"});
    if (!until.empty()) view.until_saturation = until.front() == "saturation";
    if (const DocumentValue* pareto = row_.find("pareto")) read_pareto(*pareto, view);
    if (row_.find("format") != nullptr) view.formats = words("format", plot_formats);
    view.name = file_name(fmt::format("{}", fmt::join(view.y, "_and_")));
    return view;
  }

  std::optional<TableView> table() {
    if (row_.kind != Kind::map) return std::nullopt;
    TableView view;
    const auto shown = metrics("figure");
    if (shown.size() > 1)
      add_error(row_.find("figure")->location, "figure: a table shows one metric; write one table per metric");
    view.rows = axes("rows");
    view.columns = axes("columns");
    if (row_.find("format") != nullptr) view.formats = words("format", table_formats);
    if (shown.empty() || view.rows.empty() || view.columns.empty()) return std::nullopt;
    std::vector<std::string> given = view.rows;
    given.insert(given.end(), view.columns.begin(), view.columns.end());
    std::vector<std::string> left;
    for (const std::size_t a : other_axes(campaign_, given)) left.push_back(campaign_.axes[a]);
    if (!left.empty())
      add_error(row_.location,
                fmt::format("a cell shows one point; add to rows or columns: {}", fmt::join(left, ", ")));
    view.metric = shown.front();
    view.name = "table_" + file_name(view.metric);
    return view;
  }

 private:
  void add_error(const SourceLocation& location, const std::string& text) {
    diagnostics_.add(location, section_ + ": " + text);
  }

  /// A text or a list of texts, each with its location; none if the key is not given.
  std::vector<const DocumentValue*> texts(const std::string& key) {
    std::vector<const DocumentValue*> found;
    const DocumentValue* value = row_.find(key);
    if (value == nullptr) return found;
    if (value->kind == Kind::scalar) return {value};
    if (value->kind != Kind::list)
      add_error(value->location,
                fmt::format("{}: a name or a list of names is expected, not {}", key, value->described()));
    for (const DocumentValue& item : value->items)
      if (item.kind == Kind::scalar) found.push_back(&item);
      else add_error(item.location, fmt::format("{}: a name is expected, not {}", key, item.described()));
    return found;
  }
  void missing(const std::string& key, const std::string& what) {
    const DocumentValue* value = row_.find(key);
    add_error(value == nullptr ? row_.location : value->location, fmt::format("{} is missing ({})", key, what));
  }
  std::vector<std::string> words(const std::string& key, const std::vector<std::string>& known) {
    std::vector<std::string> found;
    for (const DocumentValue* text : texts(key)) {
      if (contains(known, text->scalar)) found.push_back(text->scalar);
      else
        add_error(text->location, fmt::format("{}: {} is not one of {}{}", key, text->scalar, fmt::join(known, ", "),
                                              did_you_mean(text->scalar, known)));
    }
    return found;
  }
  std::vector<std::string> axes(const std::string& key) {
    std::vector<std::string> found;
    const auto given = texts(key);
    if (given.empty()) missing(key, "an axis or a list of axes");
    for (const DocumentValue* text : given) {
      if (contains(campaign_.axes, text->scalar)) found.push_back(text->scalar);
      else
        add_error(text->location, fmt::format("{}: {} is not an axis of this campaign{}", key, text->scalar,
                                              did_you_mean(text->scalar, campaign_.axes)));
    }
    return found;
  }
  std::optional<std::string> metric_error(const std::string& metric) const {
    if (auto unknown = known_.error(metric)) return unknown;
    const Metrics& keep = campaign_.keep;
    if (keep.all || contains(keep.paths, metric)) return std::nullopt;
    return fmt::format("{} is not a stored metric (keep): {}{}", metric, fmt::join(keep.paths, ", "),
                       did_you_mean(metric, keep.paths));
  }
  std::vector<std::string> metrics(const std::string& key) {
    std::vector<std::string> found;
    const auto given = texts(key);
    if (given.empty()) missing(key, "a stored metric");
    for (const DocumentValue* text : given) {
      if (const auto wrong = metric_error(text->scalar)) add_error(text->location, key + ": " + *wrong);
      else found.push_back(text->scalar);
    }
    return found;
  }
  std::string x_of(const std::string& usual) {
    const auto given = texts("x");
    if (given.empty()) {
      if (usual.empty()) missing("x", "no axis has more than one value");
      return usual;
    }
    const std::string& x = given.front()->scalar;
    if (given.size() > 1) add_error(row_.find("x")->location, "x: one axis or metric is expected");
    if (!contains(campaign_.axes, x) && metric_error(x)) {
      std::vector<std::string> known = campaign_.axes;
      known.insert(known.end(), campaign_.keep.paths.begin(), campaign_.keep.paths.end());
      add_error(given.front()->location,
                fmt::format("x: {} is neither an axis nor a stored metric{}", x, did_you_mean(x, known)));
    }
    return x;
  }
  void read_pareto(const DocumentValue& pareto, PlotView& view) {
    const auto given = pareto.boolean();
    if (!given)
      return add_error(pareto.location, fmt::format("pareto: true or false is expected, not {}", pareto.described()));
    view.pareto = *given;
    if (!view.pareto) return;
    if (view.y.size() > 1)
      add_error(row_.find("y")->location, "y: a Pareto front is that of two metrics, x and y; write one metric");
    const DocumentValue* x = row_.find("x");
    if (x == nullptr || contains(campaign_.axes, view.x))
      add_error(x == nullptr ? row_.location : x->location,
                "x: a Pareto front is that of two metrics, x and y; name a stored metric");
  }
  void read_ranges(const DocumentValue& range, PlotView& view) {
    if (range.kind != Kind::map)
      return add_error(range.location,
                       fmt::format("range: a section with x or y is expected, not {}", range.described()));
    check_key_names(range, {"x", "y"}, section_ + ".range", diagnostics_);
    if (const DocumentValue* x = range.find("x")) view.range_x = ends_of(*x, view.log_x);
    if (const DocumentValue* y = range.find("y")) view.range_y = ends_of(*y, view.log_y);
  }
  std::optional<std::pair<double, double>> ends_of(const DocumentValue& ends, bool log) {
    if (ends.kind == Kind::list && ends.items.size() == 2) {
      const auto low = ends.items[0].number(), high = ends.items[1].number();
      if (low && high && *low < *high && (!log || *low > 0)) return std::pair(*low, *high);
    }
    add_error(ends.location,
              fmt::format("range: two numbers [low, high] are expected{}", log ? ", above 0 on a log axis" : ""));
    return std::nullopt;
  }

  const std::string section_;
  const DocumentValue& row_;
  const KnownMetrics& known_;
  const Campaign& campaign_;
  Diagnostics& diagnostics_;
};

/// Several views of the same metrics have files `latency_mean`, `latency_mean-2`, ...
template <class View>
void make_names_differ(std::vector<View>& views) {
  std::map<std::string, int> used;
  for (View& view : views)
    if (const int times = ++used[view.name]; times > 1) view.name += fmt::format("-{}", times);
}

template <class View, class Read>
void read_rows(const DocumentValue& document, const std::string& section, std::vector<View>& views,
               Diagnostics& diagnostics, const Read& read) {
  const DocumentValue* rows = document.find(section);
  if (rows == nullptr) return;
  if (rows->kind != Kind::list)
    return diagnostics.add(rows->location, fmt::format("{}: a list is expected, not {}", section, rows->described()));
  for (const DocumentValue& row : rows->items)
    if (auto view = read(row)) views.push_back(std::move(*view));
  make_names_differ(views);
}

}  // namespace

std::optional<std::size_t> axis_number(const Campaign& campaign, const std::string& key) {
  const auto found = std::find(campaign.axes.begin(), campaign.axes.end(), key);
  if (found == campaign.axes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - campaign.axes.begin());
}

std::optional<double> position(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_array() && !value.empty() && value[0].is_number()) return value[0].get<double>();
  return std::nullopt;
}

bool has_positions(const Campaign& campaign, std::size_t axis) {
  std::map<double, std::string> values;
  return std::all_of(campaign.points.begin(), campaign.points.end(), [&](const Point& point) {
    const Json& value = point.at[axis];
    const auto at = position(value);
    return at && values.emplace(*at, value.dump()).first->second == value.dump();
  });
}

std::vector<std::size_t> other_axes(const Campaign& campaign, const std::vector<std::string>& given) {
  std::vector<std::size_t> chosen, others;
  for (const std::string& key : given)
    if (const auto axis = axis_number(campaign, key)) chosen.push_back(*axis);
  for (std::size_t a = 0; a < campaign.axes.size(); ++a) {
    // Axes that are zipped with the chosen ones, or that have one value, leave no choice.
    std::map<std::string, std::set<std::string>> values_at;
    for (const Point& point : campaign.points) {
      std::string at;
      for (const std::size_t c : chosen) at += point.at[c].dump() + ";";
      values_at[at].insert(point.at[a].dump());
    }
    if (std::any_of(values_at.begin(), values_at.end(), [](const auto& at) { return at.second.size() > 1; }))
      others.push_back(a);
  }
  return others;
}

PlotView default_plot(const Campaign& campaign, const std::string& metric) {
  PlotView view;
  const auto varied = other_axes(campaign, {});
  for (const std::size_t a : varied)
    if (view.x.empty() && has_positions(campaign, a)) view.x = campaign.axes[a];
  if (view.x.empty() && !varied.empty()) view.x = campaign.axes[varied.front()];
  view.y = {metric};
  view.name = file_name(metric);
  return view;
}

/// Latencies of runs that do not complete are those of the packets that arrived.
bool PlotView::ends_at_saturation(const std::string& metric) const {
  const bool latency = metric.compare(0, 8, "latency.") == 0 || metric.compare(0, 16, "network_latency.") == 0;
  return until_saturation.value_or(latency);
}

void read_views(const DocumentValue& document, const KnownMetrics& known, Campaign& campaign,
                Diagnostics& diagnostics) {
  if (document.find("plot") != nullptr)
    read_rows(document, "plot", campaign.plots.emplace(), diagnostics,
              [&](const DocumentValue& row) { return ViewReader("plot", row, known, campaign, diagnostics).plot(); });
  read_rows(document, "table", campaign.tables, diagnostics,
            [&](const DocumentValue& row) { return ViewReader("table", row, known, campaign, diagnostics).table(); });
}

}  // namespace starloom

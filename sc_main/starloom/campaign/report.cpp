// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

#include <starloom/campaign/quoting.hpp>
#include <starloom/experiment/expectation.hpp>
#include <starloom/experiment/verdict.hpp>
#include <starloom/json/json_text.hpp>
#include <starloom/results/result.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// The header of points.csv after the axes.
constexpr std::string_view columns_of_metrics =
    "figure,runs,mean,sd,median,max,ci_low,ci_high,reference,deviation,lost";

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return std::nullopt;
}

/// The values of one point's metrics.
class Collector {
 public:
  Collector(const Campaign& campaign, const Point& point) : campaign_(campaign), point_(point) {}

  void read(Store& store, std::int64_t id) {
    const auto stored_order = campaign_.keep.canonical();
    store.each_run(id, point_.runs, [&](const RunRow& row) {
      ++runs;
      if (row.outcome != Outcome::completed) ++lost;
      ++ended[row.outcome];
      if (!sound(row.outcome, point_.experiment.expect)) {
        ++left_out[row.outcome];
        return;
      }
      try {
        if (campaign_.keep.all) return add_whole(parse_json(store.whole_result(id, row.index)));
        const Json kept = parse_json(row.metrics);
        for (std::size_t f = 0; f < stored_order.size(); ++f) add(stored_order[f].get<std::string>(), kept.at(f));
      } catch (const Json::exception&) {  // a store of schema 1 has no checksums
        throw InputError(
            fmt::format("{}: the store is damaged: the figures of run {} of {} cannot be read; restore a copy, or "
                        "rename it and run again",
                        store.file().string(), row.index, campaign_.label(point_)));
      }
    });
    failures = store.failures(id, point_.runs);
  }

  std::int64_t runs = 0;
  std::int64_t lost = 0;                     ///< of them, those that did not end as completed
  std::map<Outcome, std::int64_t> ended;     ///< number of runs by outcome
  std::map<Outcome, std::int64_t> left_out;  ///< of them, those that are not in the sample
  std::vector<Store::Failure> failures;
  std::string outcomes() const {
    std::string text;
    for (const auto& [outcome, count] : ended)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome_names[static_cast<std::size_t>(outcome)]);
    if (!failures.empty()) text += fmt::format("{}{} failed", text.empty() ? "" : ", ", failures.size());
    return text;
  }

  std::vector<std::string> paths;  ///< `keep: all`: of all numbers, in the order of result.json

  Sample sample(const std::string& path) {
    return truths_.count(path) > 0 ? sample_of_truths(std::move(values_[path])) : sample_of(std::move(values_[path]));
  }

 private:
  void add_whole(const Json& result) {
    for (const std::string& path : numeric_paths(result)) {
      if (values_.count(path) == 0) paths.push_back(path);
      add(path, value_at(result, path));
    }
  }
  void add(const std::string& path, const Json& value) {
    auto& list = values_[path];
    if (value.is_boolean()) truths_.insert(path);
    if (const auto number = number_of(value)) list.push_back(*number);
  }

  const Campaign& campaign_;
  const Point& point_;
  std::map<std::string, std::vector<double>> values_;
  std::set<std::string> truths_;  ///< paths whose values are true or false
};

std::vector<std::string> notes_of(const Campaign& campaign, const Point& point, const Collector& collected) {
  std::vector<std::string> notes;
  const std::string label = campaign.label(point);
  if (collected.runs < point.runs)
    notes.push_back(fmt::format("{}: {} of {} runs are done", label, collected.runs, point.runs));
  for (const auto& [outcome, count] : collected.left_out)
    notes.push_back(fmt::format("{}: {} runs ended as {} and are left out", label, count,
                                outcome_names[static_cast<std::size_t>(outcome)]));
  if (!collected.failures.empty()) {
    std::string reason = collected.failures.front().reason;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    notes.push_back(fmt::format("{}: {} runs failed; run {}: {}", label, collected.failures.size(),
                                collected.failures.front().index, reason));
  }
  return notes;
}

/// Shortest form that is read back as the same number.
std::string exact(const std::optional<double>& value) {
  if (!value) return "";
  if (*value == std::floor(*value) && std::abs(*value) < 9007199254740992.0)
    return std::to_string(static_cast<std::int64_t>(*value));
  return fmt::format("{}", *value);
}
std::string rounded(const std::optional<double>& value) { return value ? fmt::format("{:.5g}", *value) : ""; }

/// `20`, or `10 to 2000` if some points have more runs than others.
std::string runs_text(const Campaign& campaign) {
  const auto by_runs = [](const Point& a, const Point& b) { return a.runs < b.runs; };
  const auto [least, most] = std::minmax_element(campaign.points.begin(), campaign.points.end(), by_runs);
  return least->runs == most->runs ? counted(most->runs, "run") : fmt::format("{} to {} runs", least->runs, most->runs);
}

std::string markdown_cell(const Json& value) {
  return markdown_text(value.is_string() ? value.get<std::string>() : value.dump());
}

/// The number of characters of a text in UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], characters(row[c]));
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) text += fmt::format("| {:<{}} ", rows[r][c], widths[c]);
    text += "|\n";
    if (r != 0) continue;
    for (const std::size_t width : widths) text += fmt::format("| {:-<{}} ", "", width);
    text += "|\n";
  }
  return text;
}

bool ReportRow::missed() const {
  if (reference == nullptr || !reference->tolerance) return false;
  // The rounding of decimal fractions is not a miss.
  const double slack = 1e-12 * std::max(1.0, std::abs(reference->value));
  return !sample.mean || std::abs(*sample.mean - reference->value) > *reference->tolerance + slack;
}

bool Report::missed() const {
  return std::any_of(rows.begin(), rows.end(), [](const ReportRow& row) { return row.missed(); });
}

Report make_report(const Campaign& campaign, Store* store) {
  Report report;
  for (std::size_t p = 0; p < campaign.points.size(); ++p) {
    const Point& point = campaign.points[p];
    Collector collected(campaign, point);
    if (store != nullptr)
      if (const auto id = store->find_point(point.key)) collected.read(*store, *id);
    auto paths = campaign.keep.all ? collected.paths : campaign.keep.paths;
    for (const Reference& reference : campaign.references)
      if (reference.point == p && std::find(paths.begin(), paths.end(), reference.metric) == paths.end())
        paths.push_back(reference.metric);
    for (const std::string& path : paths) {
      ReportRow row{&point,
                    path,
                    collected.sample(path),
                    nullptr,
                    collected.lost + static_cast<std::int64_t>(collected.failures.size()),
                    collected.outcomes()};
      for (const Reference& reference : campaign.references)
        if (reference.point == p && reference.metric == path) row.reference = &reference;
      report.rows.push_back(std::move(row));
    }
    for (std::string& note : notes_of(campaign, point, collected)) report.notes.push_back(std::move(note));
  }
  return report;
}

bool is_report_csv(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  std::ifstream stream(file);
  std::string header;
  std::getline(stream, header);
  if (!header.empty() && header.back() == '\r') header.pop_back();
  return header.size() >= columns_of_metrics.size() &&
         header.compare(header.size() - columns_of_metrics.size(), header.npos, columns_of_metrics) == 0;
}

std::string report_csv(const Campaign& campaign, const Report& report) {
  std::string text;
  for (const std::string& axis : campaign.axes) text += csv_cell(axis) + ",";
  text += std::string(columns_of_metrics) + "\n";
  for (const ReportRow& row : report.rows) {
    const Sample& s = row.sample;
    for (const Json& value : row.point->at) text += csv_cell(value) + ",";
    text += fmt::format("{},{},{},{},{},{},{},{},", csv_cell(row.metric), s.runs, exact(s.mean), exact(s.sd),
                        exact(s.median), exact(s.max), exact(s.ci_low), exact(s.ci_high));
    if (row.reference != nullptr)
      text += fmt::format("{},{}", exact(row.reference->value), exact(deviation(s, row.reference->value)));
    else text += ",";
    text += fmt::format(",{}\n", row.lost);
  }
  return text;
}

std::string report_markdown(const Campaign& campaign, const Report& report) {
  const bool compares = !campaign.references.empty();
  std::vector<std::vector<std::string>> rows(1);
  for (const std::string& axis : campaign.axes) rows[0].push_back(markdown_text(axis));
  for (const char* name : {"figure", "runs", "outcomes", "mean", "sd", "median", "max", "95 % interval"})
    rows[0].emplace_back(name);
  if (compares)
    for (const char* name : {"reference", "tolerance", "deviation", "verdict", "source"}) rows[0].emplace_back(name);
  for (const ReportRow& row : report.rows) {
    const Sample& s = row.sample;
    auto& cells = rows.emplace_back();
    for (const Json& value : row.point->at) cells.push_back(markdown_cell(value));
    for (const std::string& cell :
         {markdown_text(row.metric), std::to_string(s.runs), row.outcomes, rounded(s.mean), rounded(s.sd),
          rounded(s.median), rounded(s.max), s.ci_low ? rounded(s.ci_low) + " .. " + rounded(s.ci_high) : ""})
      cells.push_back(cell);
    if (!compares) continue;
    const Reference* reference = row.reference;
    if (reference == nullptr) {
      cells.resize(rows[0].size());
      continue;
    }
    const auto far = deviation(s, reference->value);
    for (const std::string& cell :
         {rounded(reference->value), rounded(reference->tolerance), far ? fmt::format("{:+.1f} SE", *far) : "",
          std::string(!reference->tolerance ? ""
                      : row.missed()        ? "MISSED"
                                            : "ok"),
          markdown_text(reference->source)})
      cells.push_back(cell);
  }
  std::string text = fmt::format("# {}\n\nVersion {}, {} per point.\n\n{}", markdown_text(campaign.name),
                                 program_version(), runs_text(campaign), markdown_table(rows));
  if (compares) text += "\nDeviation: the mean minus the reference, in standard errors of the mean.\n";
  if (std::any_of(report.rows.begin(), report.rows.end(), [](const ReportRow& row) { return row.lost > 0; }))
    text += "\nLatencies of runs that did not end as completed are those of delivered packets.\n";
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) text += fmt::format("- {}\n", markdown_text(note));
  return text;
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a campaign found, beside what others say.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/sample.hpp>
#include <starloom/campaign/store.hpp>

namespace starloom {

/// One figure of one point.
struct ReportRow {
  const Point* point = nullptr;
  std::string metric;
  Sample sample;
  const Reference* reference = nullptr;  ///< null: there is none
  /// Runs of the point that did not end as completed: what the sample says of latencies is said of packets that
  /// arrived.
  std::int64_t lost = 0;
  std::string outcomes;  ///< how its runs ended: `2 completed, 1 saturated`
  /// The reference is missed: the mean is outside its tolerance, or there is no mean.
  bool missed() const;
};

/// The whole report. Refers to the campaign.
struct Report {
  std::vector<ReportRow> rows;     ///< by point, then by figure in the order of `keep`
  std::vector<std::string> notes;  ///< what a reader must know: runs missing, failed, without delivery
  bool missed() const;
};

/// Runs count that completed or saturated, or ended as the experiment expects (`expect: {outcome}`). `store`: null if
/// there is none yet.
Report make_report(const Campaign& campaign, Store* store);

/// points.csv (docs/campaigns.md, "Reports").
std::string report_csv(const Campaign& campaign, const Report& report);
/// True if a file has the header of a points.csv.
bool is_report_csv(const std::filesystem::path& file);
/// A Markdown table whose columns are aligned in the text, too. The first row is its head.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);
/// The same as a table for people.
std::string report_markdown(const Campaign& campaign, const Report& report);

}  // namespace starloom

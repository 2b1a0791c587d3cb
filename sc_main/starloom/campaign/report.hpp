// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The results of a campaign with their references.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/sample.hpp>
#include <starloom/campaign/store.hpp>

namespace starloom {

/// One metric of one point.
struct ReportRow {
  const Point* point = nullptr;
  std::string metric;
  Sample sample;
  const Reference* reference = nullptr;  ///< null: there is none
  /// Runs of the point that did not end as completed: the latencies of the sample are those of packets that arrived.
  std::int64_t lost = 0;
  std::string outcomes;  ///< outcomes of its runs: `2 completed, 1 saturated`
  /// The reference is missed: the mean is outside its tolerance, or there is no mean.
  bool missed() const;
};

/// The whole report. Refers to the campaign.
struct Report {
  std::vector<ReportRow> rows;     ///< by point, then by figure in the order of `keep`
  std::vector<std::string> notes;  ///< notes for the reader: runs missing, failed, without delivery
  bool missed() const;
};

/// The runs that completed or saturated, or that ended as the experiment expects (`expect: {outcome}`), count.
/// `store`: null if there is none yet.
Report make_report(const Campaign& campaign, Store* store);

/// points.csv (docs/campaigns.md, "Reports").
std::string report_csv(const Campaign& campaign, const Report& report);
/// True if a file has the header of a points.csv.
bool is_report_csv(const std::filesystem::path& file);
/// A Markdown table with aligned columns. The first row is the header.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);
/// The same as a table for people.
std::string report_markdown(const Campaign& campaign, const Report& report);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/report.hpp>

#include <fmt/format.h>

#include <starloom/campaign/pivot.hpp>
#include <starloom/campaign/plot.hpp>
#include <starloom/campaign/report.hpp>
#include <starloom/commands/campaign.hpp>
#include <starloom/support/aside.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/tell.hpp>
#include <starloom/trace_io/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

constexpr const char* points_file = "points.csv";
constexpr const char* markdown_file = "report.md";

/// Keeps what is not of an earlier report: that is a folder with the points of one. \throws OutputError
void refuse_foreign_files(const fs::path& folder, const std::vector<fs::path>& files) {
  std::error_code ignored;
  if (is_report_csv(folder / points_file)) return;
  for (const fs::path& file : files)
    if (fs::exists(fs::symlink_status(folder / file, ignored)))
      throw OutputError(fmt::format(
          "{}: is not part of an earlier report, because there is no {} of one next to it; choose another --out",
          (folder / file).string(), points_file));
}

/// The report with its pictures.
std::string with_pictures(std::string markdown, const std::vector<PlotScript>& scripts) {
  if (!scripts.empty()) markdown += "\n";
  for (const PlotScript& script : scripts)
    markdown += fmt::format("![{0}]({0}.{1})\n", script.name, script.formats.front());
  return markdown;
}

}  // namespace

Ending report_campaign(const Catalogue& catalogue, const ReportOptions& options) {
  const Campaign campaign = load_campaign(catalogue, options.file);
  const fs::path file = options.store.value_or(default_store(options.file, std::nullopt));
  Store store(file, Database::Mode::read);
  const fs::path out = options.out.value_or(fs::path("out") / options.file.stem());
  refuse_foreign_files(out, {markdown_file, points_file});
  FolderAside aside(out);
  store.check();
  const Report report = make_report(campaign, &store);
  std::string markdown = report_markdown(campaign, report);
  for (const TableText& table : table_texts(campaign, report)) {
    write_part(aside.path() / table.file, table.text);
    if (table.format == "markdown") markdown += "\n" + table.text;
  }
  write_part(aside.path() / points_file, report_csv(campaign, report));
  const auto scripts = plot_scripts(campaign, report);
  for (const PlotScript& script : scripts) write_part(aside.path() / (script.name + ".gp"), script.text);
  const std::string fault = draw_plots(scripts, aside.path());
  write_part(aside.path() / markdown_file, fault.empty() ? with_pictures(markdown, scripts) : markdown);
  refuse_foreign_files(out, aside.files());
  // The points come first: by them the next report knows the others, if this one is killed in between.
  aside.publish(points_file, markdown_file);
  if (!fault.empty()) tell(fmt::format("starloom: {}", fault));
  fmt::print("{}", markdown);
  for (const ReportRow& row : report.rows) {
    if (!row.missed()) continue;
    const Reference& reference = *row.reference;
    tell(fmt::format("{}: reference missed: {} is {}, expected {} within {}", reference.place.text(), row.figure,
                     row.sample.mean ? fmt::format("{:.6g}", *row.sample.mean) : "not known (no runs)", reference.value,
                     *reference.tolerance));
  }
  return {report.missed() ? ExitStatus::expectation : ExitStatus::done, false};
}

}  // namespace starloom

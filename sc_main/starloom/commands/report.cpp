// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/report.hpp>

#include <fmt/format.h>

#include <starloom/campaign/pivot.hpp>
#include <starloom/campaign/plot.hpp>
#include <starloom/campaign/report.hpp>
#include <starloom/commands/campaign.hpp>
#include <starloom/support/aside.hpp>
#include <starloom/support/tell.hpp>
#include <starloom/trace_io/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

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
  store.check();
  const Report report = make_report(campaign, &store);

  const fs::path out = options.out.value_or(fs::path("out") / options.file.stem());
  FolderAside aside(out);
  std::string markdown = report_markdown(campaign, report);
  for (const TableText& table : table_texts(campaign, report)) {
    write_text(aside.path() / table.file, table.text);
    if (table.format == "markdown") markdown += "\n" + table.text;
  }
  write_text(aside.path() / "points.csv", report_csv(campaign, report));
  const auto scripts = plot_scripts(campaign, report);
  for (const PlotScript& script : scripts) write_text(aside.path() / (script.name + ".gp"), script.text);
  const std::string fault = draw_plots(scripts, aside.path());
  write_text(aside.path() / "report.md", fault.empty() ? with_pictures(markdown, scripts) : markdown);
  aside.publish("report.md");
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

#include <starloom/commands/report.hpp>

#include <fmt/format.h>

#include <system_error>

#include <starloom/campaign/plot.hpp>
#include <starloom/campaign/report.hpp>
#include <starloom/commands/campaign.hpp>
#include <starloom/core/printable.hpp>
#include <starloom/records/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

/// The report with its pictures.
std::string with_pictures(std::string markdown, const std::vector<PlotScript>& scripts) {
  if (!scripts.empty()) markdown += "\n";
  for (const PlotScript& script : scripts) markdown += fmt::format("![{0}]({0}.svg)\n", script.name);
  return markdown;
}

}  // namespace

Ending report_campaign(const Catalogue& catalogue, const ReportOptions& options) {
  const Campaign campaign = load_campaign(catalogue, options.file);
  const fs::path file = options.store.value_or(default_store(options.file, std::nullopt));
  Store store(file, Database::Mode::read);
  const Report report = make_report(campaign, &store);

  const fs::path out = options.out.value_or(fs::path("out") / options.file.stem());
  std::error_code why;
  fs::create_directories(out, why);
  if (why) throw OutputError(fmt::format("{}: the folder cannot be made: {}", out.string(), why.message()));
  const std::string markdown = report_markdown(campaign, report);
  write_text(out / "points.csv", report_csv(campaign, report));
  const auto scripts = plot_scripts(campaign, report);
  for (const PlotScript& script : scripts) write_text(out / (script.name + ".gp"), script.text);
  const std::string fault = draw_plots(scripts, out);
  write_text(out / "report.md", fault.empty() ? with_pictures(markdown, scripts) : markdown);
  if (!fault.empty()) fmt::print(stderr, "starloom: {}\n", fault);
  fmt::print("{}", markdown);
  for (const ReportRow& row : report.rows) {
    if (!row.missed()) continue;
    const Reference& reference = *row.reference;
    fmt::print(stderr, "{}: reference missed: {} is {}, expected {} within {}\n", reference.place.text(),
               printable(row.figure), row.sample.mean ? fmt::format("{:.6g}", *row.sample.mean) : "not known (no runs)",
               reference.value, *reference.tolerance);
  }
  return {report.missed() ? ExitStatus::expectation : ExitStatus::done, false};
}

}  // namespace starloom

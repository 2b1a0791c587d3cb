// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/report.hpp>

#include <fmt/format.h>

#include <starloom/campaign/pivot.hpp>
#include <starloom/campaign/plot.hpp>
#include <starloom/campaign/report.hpp>
#include <starloom/commands/campaign.hpp>
#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

constexpr const char* points_file = "points.csv";
constexpr const char* markdown_file = "report.md";

/// Protects files that are not those of an earlier report, which is a folder with its points. \throws OutputError
void refuse_foreign_files(const fs::path& folder, const std::vector<fs::path>& files) {
  std::error_code ignored;
  if (is_report_csv(folder / points_file)) return;
  for (const fs::path& file : files)
    if (fs::exists(fs::symlink_status(folder / file, ignored)))
      throw OutputError(fmt::format(
          "{}: is not part of an earlier report, because there is no {} of one next to it; choose another --out",
          (folder / file).string(), points_file));
}

/// Links to the pictures that are in a folder, each in its first available format.
std::string picture_links(const std::vector<PlotScript>& scripts, const fs::path& folder) {
  std::string links;
  for (const PlotScript& script : scripts)
    for (const std::string& format : script.formats) {
      std::error_code ignored;
      if (!fs::exists(folder / (script.name + "." + format), ignored)) continue;
      links += fmt::format("{0}![{1}]({1}.{2})\n", links.empty() ? "\n" : "", script.name, format);
      break;
    }
  return links;
}

/// \throws OutputError if a picture is missing
void require_all_drawn(const std::vector<UndrawnPicture>& undrawn, const fs::path& folder) {
  if (undrawn.empty()) return;
  const std::string others = undrawn.size() > 1 ? fmt::format(" (and {} more)", undrawn.size() - 1) : "";
  throw OutputError(fmt::format("{}{}: not drawn: {}; the rest of the report is there",
                                (folder / undrawn.front().file).string(), others, undrawn.front().why));
}

}  // namespace

Ending report_campaign(const Catalogue& catalogue, const ReportOptions& options) {
  const Campaign campaign = load_campaign(catalogue, options.file);
  const fs::path file = options.store.value_or(default_store(options.file, std::nullopt));
  Store store(file, Database::Mode::read);
  const fs::path out = options.out.value_or(fs::path("out") / options.file.stem());
  refuse_foreign_files(out, {markdown_file, points_file});
  AtomicFolder temporary(out);
  store.check();
  const Report report = make_report(campaign, &store);
  std::string markdown = report_markdown(campaign, report);
  for (const TableText& table : table_texts(campaign, report)) {
    write_part(temporary.path() / table.file, table.text);
    if (table.format == "markdown") markdown += "\n" + table.text;
  }
  write_part(temporary.path() / points_file, report_csv(campaign, report));
  const auto scripts = plot_scripts(campaign, report);
  for (const PlotScript& script : scripts) write_part(temporary.path() / (script.name + ".gp"), script.text);
  const std::vector<UndrawnPicture> undrawn = draw_plots(scripts, temporary.path());
  write_part(temporary.path() / markdown_file, markdown + picture_links(scripts, temporary.path()));
  std::vector<fs::path> files = temporary.files();
  for (const UndrawnPicture& picture : undrawn) files.emplace_back(picture.file);
  refuse_foreign_files(out, files);
  // The points come first: they identify a report, even if this process is killed before the other files are
  // published.
  temporary.publish(points_file, markdown_file);
  std::error_code ignored;
  for (const UndrawnPicture& picture : undrawn) fs::remove(out / picture.file, ignored);  // of an earlier report
  fmt::print("{}", markdown);
  for (const ReportRow& row : report.rows) {
    if (!row.missed()) continue;
    const Reference& reference = *row.reference;
    print_message(fmt::format("{}: reference missed: {} is {}, expected {} within {}", reference.location.text(),
                              row.metric,
                              row.sample.mean ? fmt::format("{:.6g}", *row.sample.mean) : "not known (no runs)",
                              reference.value, *reference.tolerance));
  }
  require_all_drawn(undrawn, out);
  return {report.missed() ? ExitStatus::expectation : ExitStatus::done, false};
}

}  // namespace starloom

#include <starloom/campaign/plot.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>

#include <starloom/campaign/quoting.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Where a value stands on the axis: a number; of a shape its first side.
std::optional<double> position(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_array() && !value.empty() && value[0].is_number()) return value[0].get<double>();
  return std::nullopt;
}

/// The first axis of numbers with several values.
std::optional<std::size_t> horizontal_axis(const Campaign& campaign) {
  for (std::size_t a = 0; a < campaign.axes.size(); ++a) {
    std::set<double> positions;
    const bool numbers = std::all_of(campaign.points.begin(), campaign.points.end(), [&](const Point& point) {
      const auto at = position(point.at[a]);
      if (at) positions.insert(*at);
      return at.has_value();
    });
    if (numbers && positions.size() > 1) return a;
  }
  return std::nullopt;
}

/// One curve: rows `x mean low high`, those of them of which runs were lost as `x mean`, and rows `x reference`.
struct Curve {
  std::map<double, std::string> means;
  std::map<double, std::string> lost;
  std::map<double, std::string> references;
};

std::string data_block(const std::string& name, const std::map<double, std::string>& rows) {
  std::string text = fmt::format("${} << END\n", name);
  for (const auto& [x, row] : rows) text += row + "\n";
  return text + "END\n";
}

std::string file_name(const std::string& figure) {
  std::string name;
  for (const char c : figure) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name;
}

std::string script(const Campaign& campaign, const Report& report, const std::string& figure, std::size_t across) {
  // Axes that zip with the horizontal one, or have one value, do not tell curves apart.
  std::vector<std::size_t> others;
  for (std::size_t a = 0; a < campaign.axes.size(); ++a) {
    std::map<std::string, std::set<std::string>> values_at;
    for (const Point& point : campaign.points) values_at[point.at[across].dump()].insert(point.at[a].dump());
    if (a != across &&
        std::any_of(values_at.begin(), values_at.end(), [](const auto& at) { return at.second.size() > 1; }))
      others.push_back(a);
  }
  std::vector<std::pair<std::string, Curve>> curves;
  for (const ReportRow& row : report.rows) {
    if (row.figure != figure) continue;
    std::string title;
    for (const std::size_t a : others) {
      const Json& value = row.point->at[a];
      title += (title.empty() ? "" : ", ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const auto& one) { return one.first == title; });
    if (curve == curves.end()) curve = curves.insert(curves.end(), {title, {}});
    const double x = *position(row.point->at[across]);
    const Sample& s = row.sample;
    if (s.mean)
      curve->second.means[x] =
          fmt::format("{} {} {} {}", x, *s.mean, s.ci_low.value_or(*s.mean), s.ci_high.value_or(*s.mean));
    if (s.mean && row.lost > 0) curve->second.lost[x] = fmt::format("{} {}", x, *s.mean);
    if (row.reference != nullptr) curve->second.references[x] = fmt::format("{} {}", x, row.reference->value);
  }
  std::string blocks, plots;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const auto& [title, curve] = curves[c];
    const std::string shown = title.empty() ? figure : title;
    if (!curve.means.empty()) {
      blocks += data_block(fmt::format("mean{}", c), curve.means);
      plots += fmt::format("{}$mean{} using 1:2:3:4 with yerrorlines lc {} pt 7 ps 0.6 title {}",
                           plots.empty() ? "" : ", \\\n     ", c, c + 1, gnuplot_text(shown));
    }
    if (!curve.lost.empty()) {
      blocks += data_block(fmt::format("lost{}", c), curve.lost);
      plots += fmt::format(", \\\n     $lost{} using 1:2 with points lc {} pt 6 ps 1.8 title {}", c, c + 1,
                           gnuplot_text("not completed: " + shown));
    }
    if (!curve.references.empty()) {
      blocks += data_block(fmt::format("reference{}", c), curve.references);
      plots += fmt::format("{}$reference{} using 1:2 with points lc {} pt 4 ps 1.6 title {}",
                           plots.empty() ? "" : ", \\\n     ", c, c + 1, gnuplot_text("reference: " + shown));
    }
  }
  if (plots.empty()) return "";
  const std::string name = file_name(figure);
  return fmt::format(
      "set encoding utf8\nset termoption noenhanced\nset key outside below\nset grid\nset title {}\nset xlabel {}\n"
      "set ylabel {}\n{}set terminal pngcairo noenhanced size 900,600\nset output '{}.png'\nplot {}\n"
      "set terminal svg noenhanced size 900,600\nset output '{}.svg'\nreplot\nset output\n",
      gnuplot_text(campaign.name), gnuplot_text(campaign.axes[across]), gnuplot_text(figure), blocks, name, plots,
      name);
}

/// Runs gnuplot in a folder; its exit status, 127 if there is no gnuplot.
int run_gnuplot(const std::filesystem::path& folder, const std::string& file) {
  const std::string log = "gnuplot.log";
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execlp("gnuplot", "gnuplot", file.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  if (pid < 0) return 126;
  int state = 0;
  while (::waitpid(pid, &state, 0) < 0 && errno == EINTR) continue;
  const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 126;
  std::error_code ignored;
  if (status == 0 || status == 127) std::filesystem::remove(folder / log, ignored);
  return status;
}

}  // namespace

std::vector<PlotScript> plot_scripts(const Campaign& campaign, const Report& report) {
  std::vector<PlotScript> scripts;
  const auto across = horizontal_axis(campaign);
  if (!across) return scripts;
  std::set<std::string> seen;
  for (const ReportRow& row : report.rows) {
    if (!seen.insert(row.figure).second) continue;
    const std::string text = script(campaign, report, row.figure, *across);
    if (!text.empty()) scripts.push_back({file_name(row.figure), text});
  }
  return scripts;
}

std::string draw_plots(const std::vector<PlotScript>& scripts, const std::filesystem::path& folder) {
  for (const PlotScript& one : scripts) {
    const int status = run_gnuplot(folder, "./" + one.name + ".gp");
    if (status == 127) return "no plots: gnuplot is missing; it is in the Debian package gnuplot-nox";
    if (status != 0)
      return fmt::format("no plots: gnuplot failed with status {}; see gnuplot.log beside the report", status);
  }
  return "";
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/regress.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include <starloom/commands/interrupt.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/regression/child_process.hpp>
#include <starloom/regression/golden.hpp>
#include <starloom/regression/junit.hpp>
#include <starloom/regression/scenarios.hpp>
#include <starloom/results/result.hpp>
#include <starloom/support/atomic_file.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/support/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// Time to wait when no process has ended. Short, because a scenario may take no longer; signals are handled in
/// between.
constexpr auto look_for_children = std::chrono::milliseconds(2);

/// A folder for the outputs of all runs, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code why;
    std::string name = (fs::temp_directory_path(why) / "starloom-regress-XXXXXX").string();
    if (why) throw OutputError(fmt::format("TMPDIR is not a usable directory for temporary files ({})", why.message()));
    if (::mkdtemp(name.data()) == nullptr)
      throw OutputError(fmt::format("{}: cannot be created: {}", name, std::generic_category().message(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Runs scenarios, several in parallel, and keeps their reports in order.
class Regression {
 public:
  Regression(const Catalogue& catalogue, const RegressOptions& options, const std::vector<fs::path>& scenarios)
      : catalogue_(catalogue), options_(options), scenarios_(scenarios), reports_(scenarios.size()) {}

  std::vector<ScenarioReport> run() {
    std::size_t next = 0;
    while (next < scenarios_.size() || !running_.empty()) {
      const bool stop = interrupt_flag().requested();
      if (stop && running_.empty()) break;
      if (stop) interrupt_children();
      if (!stop && next < scenarios_.size() && running_.size() < static_cast<std::size_t>(options_.jobs)) start(next++);
      else if (const auto end = ended_child()) finish(*end);
      else std::this_thread::sleep_for(look_for_children);
    }
    for (; next < scenarios_.size(); ++next) reports_[next] = {shown(scenarios_[next]), 0, "not run: interrupted"};
    return reports_;
  }

 private:
  struct Job {
    std::size_t index;
    steady_clock::time_point started;
  };

  fs::path folder(std::size_t index) const { return temporary_.path() / std::to_string(index); }
  fs::path log(std::size_t index) const { return temporary_.path() / fmt::format("{}.log", index); }
  /// A golden file that cannot be read fails the comparison; one with a name that the system does not allow does not
  /// exist.
  bool compares(std::size_t index) const {
    std::error_code why;
    const fs::file_status golden = fs::status(golden_file(scenarios_[index]), why);
    return options_.update || (golden.type() != fs::file_type::not_found && why != std::errc::filename_too_long);
  }

  void start(std::size_t index) {
    RunOptions options;
    options.experiment.file = scenarios_[index];
    options.out = folder(index);
    options.quiet = true;
    if (compares(index) && has_links(scenarios_[index])) options.trace = TraceWindow{};
    // Each in a process of its own, because SystemC elaborates once per process.
    const auto run = [&] { return run_experiment(catalogue_, options); };
    const pid_t pid = start_child([&run] { return static_cast<int>(run_to_end(run).status); }, log(index));
    running_[pid] = {index, steady_clock::now()};
  }

  /// They then end by themselves, within the time that a command has for it.
  void interrupt_children() {
    if (std::exchange(is_stopping_, true)) return;
    for (const auto& [pid, job] : running_) ::kill(pid, SIGTERM);
  }

  void finish(const ChildEnd& end) {
    const auto job = running_.find(end.pid);
    if (job == running_.end()) return;
    const std::size_t index = job->second.index;
    ScenarioReport& report = reports_[index];
    report.name = shown(scenarios_[index]);
    report.seconds = std::chrono::duration<double>(steady_clock::now() - job->second.started).count();
    report.error = error(index, end.status);
    report.compared = compares(index);
    running_.erase(job);
    std::error_code ignored;
    fs::remove_all(folder(index), ignored);
  }

  std::string error(std::size_t index, int status) const {
    if (status != 0) {
      const std::string text = read_text(log(index));
      return fmt::format("status {}{}{}", status, text.empty() ? "" : "\n", text);
    }
    if (!compares(index)) return "";
    const fs::path golden = golden_file(scenarios_[index]);
    if (options_.update) {
      write_text(golden, golden_text(golden_json(folder(index))));
      return "";
    }
    try {
      const GoldenDifferences differences = golden_differences(golden, folder(index));
      if (differences.files.empty()) return "";
      return fmt::format("{} differ from {}; to accept the new result: starloom regress --update {}{}{}",
                         fmt::join(differences.files, ", "), shown(golden.filename()), shown(scenarios_[index]),
                         differences.details.empty() ? "" : "\n", fmt::join(differences.details, "; "));
    } catch (const InputError& unreadable) {
      return unreadable.what();
    }
  }

  const Catalogue& catalogue_;
  const RegressOptions& options_;
  const std::vector<fs::path>& scenarios_;
  TemporaryFolder temporary_;
  std::vector<ScenarioReport> reports_;
  std::map<pid_t, Job> running_;
  bool is_stopping_ = false;
};

std::string skipped_text(const std::vector<fs::path>& skipped) {
  constexpr std::size_t most = 10;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(skipped.size(), most); ++i) names.push_back(shown(skipped[i]));
  const std::string more = skipped.size() > most ? fmt::format(" and {} more", skipped.size() - most) : "";
  return fmt::format("skipped, because they are campaigns or data files: {}{}", fmt::join(names, ", "), more);
}

void print_table(const std::vector<ScenarioReport>& reports) {
  std::size_t width = 8;
  for (const ScenarioReport& report : reports) width = std::max(width, report.name.size());
  fmt::print("{:<{}}  result  seconds\n", "scenario", width);
  std::size_t failed = 0, not_compared = 0;
  for (const ScenarioReport& report : reports) {
    const char* const passed = report.compared ? "ok" : "ran";
    fmt::print("{:<{}}  {:<6}  {:7.2f}\n", report.name, width, report.error.empty() ? passed : "FAILED",
               report.seconds);
    if (report.error.empty()) {
      not_compared += report.compared ? 0 : 1;
      continue;
    }
    ++failed;
    for (std::size_t begin = 0; begin < report.error.size();) {
      const std::size_t end = std::min(report.error.find('\n', begin), report.error.size());
      fmt::print("    {}\n", report.error.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  if (not_compared > 0)
    fmt::print("ran: met its expectations, but has no golden file to compare with; --update writes one\n");
  fmt::print("{} of {} scenarios passed\n", reports.size() - failed, reports.size());
}

}  // namespace

Ending run_regression(const Catalogue& catalogue, const RegressOptions& options) {
  const FoundScenarios found = find_scenarios(options.paths, options.filter);
  if (found.scenarios.empty() && found.unreadable.empty())
    throw InputError(fmt::format("--filter {}: none of {} has this in its path", options.filter,
                                 counted(found.filtered, "YAML file")));
  if (options.junit) {
    refuse_foreign_file(*options.junit, junit_mark, "a report of starloom regress", "choose another --junit");
    make_folder_of(*options.junit);
    require_writable(*options.junit);
  }
  if (options.update)
    for (const fs::path& scenario : found.scenarios) require_writable(golden_file(scenario));
  if (!found.skipped.empty()) print_message(skipped_text(found.skipped));
  catch_interrupts();
  auto reports = Regression(catalogue, options, found.scenarios).run();
  for (const auto& [folder, why] : found.unreadable)
    reports.push_back({shown(folder), 0, fmt::format("the folder cannot be read: {}", why)});
  print_table(reports);
  if (options.junit) write_text(*options.junit, junit_text(reports));
  const bool passed =
      std::all_of(reports.begin(), reports.end(), [](const ScenarioReport& report) { return report.error.empty(); });
  return {passed ? ExitStatus::done : ExitStatus::expectation, false};
}

}  // namespace starloom

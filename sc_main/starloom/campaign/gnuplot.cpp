// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/gnuplot.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace starloom {
namespace {

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

std::string draw_plots(const std::vector<PlotScript>& scripts, const std::filesystem::path& folder) {
  for (const PlotScript& one : scripts) {
    const int status = run_gnuplot(folder, "./" + one.name + ".gp");
    if (status == 127) return "no plots: gnuplot is missing; install the Debian package gnuplot-nox";
    if (status != 0)
      return fmt::format("no plots: gnuplot failed with status {}; see gnuplot.log beside the report", status);
  }
  return "";
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/gnuplot.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

constexpr int no_program = 127, not_started = 126;

/// The environment of gnuplot: the paths of programs and libraries, without anything that would change a picture,
/// such as its own variables (GNUTERM, GDFONTPATH), the language, the time zone and the fonts of a home folder.
std::vector<std::string> environment() {
  std::vector<std::string> all = {"LC_ALL=C.UTF-8", "TZ=UTC0", "HOME=/nonexistent"};
  for (const char* const name : {"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"})
    if (const char* const value = std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

/// Runs gnuplot in a folder with its messages in `log`; returns the status of waitpid().
int run_gnuplot(const fs::path& folder, const std::string& script, const char* log) {
  std::vector<std::string> variables = environment();
  std::vector<char*> pointers;
  for (std::string& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(not_started);
    const int out = ::open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    const char* const words[] = {"gnuplot", "-d", script.c_str(), nullptr};  // -d: no settings of a user or a machine
    ::execvpe(words[0], const_cast<char* const*>(words), pointers.data());
    ::_exit(no_program);
  }
  int state = not_started << 8;
  while (pid > 0 && ::waitpid(pid, &state, 0) < 0 && errno == EINTR) continue;
  return state;
}

/// The last line of a file that is not blank.
std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (const auto start = line.find_first_not_of(" \t\r"); start != std::string::npos) last = line.substr(start);
  return last;
}

std::string reason(int state, const std::string& message) {
  if (WIFEXITED(state) && WEXITSTATUS(state) == no_program)
    return "gnuplot is missing; install the Debian package gnuplot-nox, or write `plot: []` for a report without "
           "pictures";
  std::string ending = "wrote no picture";
  if (WIFSIGNALED(state)) ending = fmt::format("was killed by signal {}", WTERMSIG(state));
  else if (state != 0) ending = fmt::format("ended with status {}", WEXITSTATUS(state));
  return fmt::format("gnuplot {}{}", ending, message.empty() ? "" : fmt::format(" ({})", escape(message)));
}

/// gnuplot writes the time of day into PDF files, as 14 digits.
void overwrite_creation_date(const fs::path& file) {
  constexpr std::string_view mark = "/CreationDate (D:", epoch = "19700101000000";
  std::fstream pdf(file, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(pdf)), std::istreambuf_iterator<char>());
  const auto found = bytes.rfind(mark);
  if (found == std::string::npos) return;
  pdf.clear();
  pdf.seekp(static_cast<std::streamoff>(found + mark.size()));
  pdf << epoch;
}

}  // namespace

std::vector<UndrawnPicture> draw_plots(const std::vector<PlotScript>& scripts, const fs::path& folder) {
  constexpr const char* log = "gnuplot.log";
  std::vector<UndrawnPicture> undrawn;
  for (const PlotScript& script : scripts) {
    const int state = run_gnuplot(folder, "./" + script.name + ".gp", log);
    const std::string message = last_line(folder / log);
    std::error_code ignored;
    fs::remove(folder / log, ignored);
    for (const std::string& format : script.formats) {
      const std::string name = script.name + "." + format;
      const fs::path picture = folder / name;
      if (state != 0 || !fs::exists(picture, ignored) || fs::is_empty(picture, ignored)) {
        fs::remove(picture, ignored);
        undrawn.push_back({name, reason(state, message)});
      } else if (format == "pdf") {
        overwrite_creation_date(picture);
      }
    }
  }
  return undrawn;
}

}  // namespace starloom

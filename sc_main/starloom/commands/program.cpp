// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/program.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <systemc>

#include <starloom/commands/command_line.hpp>
#include <starloom/results/output_folder.hpp>
#include <starloom/support/message.hpp>

namespace starloom {
namespace {

/// SystemC prints its licence on stdout before sc_main begins, unless this is set. Linked into every program that
/// calls `run_program`.
const bool no_banner = ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1) == 0;

/// Reports of the SystemC library go to stderr, because stdout is for the output of commands.
void report_to_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & (sc_core::SC_THROW | sc_core::SC_ABORT)) != 0) throw report;
  if ((actions & sc_core::SC_DISPLAY) != 0 && report.get_severity() != sc_core::SC_INFO)
    print_message(sc_core::sc_report_compose_message(report));
}

/// Without memory the process ends immediately: unwinding would destroy a large network, for minutes.
void leave_without_memory() {
  std::set_new_handler(nullptr);
  constexpr char sentence[] =
      "starloom: there is not enough memory for this; choose a smaller network or a shorter run\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, sentence, sizeof sentence - 1);
  OutputFolder::abandon();
  std::_Exit(static_cast<int>(ExitStatus::unexpected));
}

/// Opens /dev/null for closed streams, so that no other file gets their descriptors and with them the messages.
/// Reading and writing fail as before.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int run_program(const Catalogue& catalogue, int count, const char* const* arguments) {
  occupy_closed_streams();
  sc_core::sc_report_handler::set_handler(report_to_stderr);
  // Exceeding the limit of file sizes is an error of the write.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(leave_without_memory);
  const std::vector<std::string> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  const Ending ending = run_to_end([&] { return run_command(catalogue, words); });
  const int status = static_cast<int>(ending.status);
  if (ending.leave_by_exit) std::_Exit(status);
  return status;
}

}  // namespace starloom

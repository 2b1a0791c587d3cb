/// \file The program `starloom`: the one place that turns faults into exit statuses.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <systemc>

#include <starloom/commands/command_line.hpp>

namespace {

/// SystemC prints its licence on stdout before sc_main begins, unless this is set.
const bool no_banner = ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1) == 0;

/// Reports of the SystemC library: stdout is not theirs.
void report_to_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & (sc_core::SC_THROW | sc_core::SC_ABORT)) != 0) throw report;
  if ((actions & sc_core::SC_DISPLAY) != 0 && report.get_severity() != sc_core::SC_INFO)
    fmt::print(stderr, "{}\n", sc_core::sc_report_compose_message(report));
}

starloom::Ending run(const std::vector<std::string>& words) {
  using starloom::ExitStatus;
  try {
    static const starloom::Catalogue catalogue = starloom::standard_catalogue();
    return starloom::run_command(catalogue, words);
  } catch (const starloom::Error& fault) {
    fmt::print(stderr, "{}\n", fault.what());
    // Only faults of the input are found before there is a net, which may be too large to destroy.
    return {fault.status(), fault.status() != ExitStatus::usage};
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "starloom: there is not enough memory for this; choose a smaller network\n");
    return {ExitStatus::unexpected, true};
  } catch (const std::exception& fault) {
    if (std::ferror(stdout) != 0) return {ExitStatus::output, true};  // told when stdout is flushed
    fmt::print(stderr, "starloom: unexpected: {}\n", fault.what());
    return {ExitStatus::unexpected, true};
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(report_to_stderr);
  const starloom::Ending ending = run({argv + 1, argv + argc});
  int status = static_cast<int>(ending.status);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "starloom: stdout cannot be written\n");
    status = static_cast<int>(starloom::ExitStatus::output);
  }
  std::fflush(stderr);
  if (ending.leave_by_exit) std::_Exit(status);
  return status;
}

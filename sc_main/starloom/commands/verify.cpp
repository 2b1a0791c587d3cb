// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/verify.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/verify/trace_window_file.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace starloom {

Ending verify_output(const RunFolder& run, const std::filesystem::path& folder) {
  if (const auto window = read_trace_window(folder))
    throw InputError(fmt::format("{}: {}; verify needs the whole run; run with --trace, without FROM:TO",
                                 folder.string(), window_text(*window, run.clock())));
  const VerifyReport report = run.verify();
  if (report.ok()) {
    fmt::print("{}: no violation ({}, {} of the trace){}\n", shown(folder), counted(report.packets, "packet"),
               counted(report.rows, "row"),
               report.outcome == "completed" ? "" : fmt::format("; the run ended as {}", report.outcome));
    if (!report.unchecked.empty()) fmt::print("  {}\n", report.unchecked);
    return {};
  }
  print_message(fmt::format("{}: {}", folder.string(), report.violation));
  return {ExitStatus::contract, false};
}

}  // namespace starloom

#include <starloom/commands/verify.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace starloom {

Ending verify_output(const RunFolder& run, const std::filesystem::path& folder) {
  const VerifyReport report = run.verify();
  if (report.ok()) {
    fmt::print("{}: no rule is broken ({} packets, {} rows)\n", folder.string(), report.packets, report.rows);
    return {};
  }
  fmt::print(stderr, "{}: {}\n", folder.string(), report.violation);
  if (report.begin > 0)
    fmt::print(stderr,
               "  the trace begins at {}; if it is a window, run with --trace alone: verify needs the whole run\n",
               report.begin);
  return {ExitStatus::contract, false};
}

}  // namespace starloom

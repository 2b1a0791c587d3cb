#include <starloom/commands/verify.hpp>
#include <starloom/core/tell.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace starloom {

Ending verify_output(const RunFolder& run, const std::filesystem::path& folder) {
  const VerifyReport report = run.verify();
  if (report.ok()) {
    fmt::print("{}: no rule is broken ({} packets, {} rows)\n", folder.string(), report.packets, report.rows);
    if (!report.unchecked.empty()) fmt::print("  {}\n", report.unchecked);
    return {};
  }
  tell(fmt::format("{}: {}", folder.string(), report.violation));
  if (report.begin > 0)
    tell(fmt::format("  the trace begins at {}; if it is a window, run with --trace alone: verify needs the whole run",
                     report.begin));
  return {ExitStatus::contract, false};
}

}  // namespace starloom

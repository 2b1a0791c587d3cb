// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom report`.
#include <filesystem>
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

struct ReportOptions {
  std::filesystem::path file;
  std::optional<std::filesystem::path> store;  ///< empty: `out/<file stem>.sqlite`
  std::optional<std::filesystem::path> out;    ///< empty: `out/<file stem>`
};

/// Prints the table and writes points.csv, report.md and plots. Status 6 if a reference is missed.
Ending report_campaign(const Catalogue& catalogue, const ReportOptions& options);

}  // namespace starloom

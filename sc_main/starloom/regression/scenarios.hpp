// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Finding the scenarios among files and below folders.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// True unless the scenario excludes the hardware (`model: message`), and with it the links to trace.
bool has_links(const std::filesystem::path& scenario);

/// The scenarios among and below some paths.
struct FoundScenarios {
  std::vector<std::filesystem::path> scenarios;  ///< each once, sorted
  /// YAML files below a folder that are not scenarios, sorted: campaigns, and files that have neither of the top-level
  /// keys `schema` and `network`. One of the two makes a file a scenario, because a misspelt scenario has to fail.
  std::vector<std::filesystem::path> skipped;
  /// Folders below the paths that cannot be read, and the reasons; sorted.
  std::vector<std::pair<std::filesystem::path, std::string>> unreadable;
  std::int64_t filtered = 0;  ///< files whose paths do not contain the filter
};

/// A file given as a path is a scenario, whatever its name and content; below a folder, files with names that end in
/// `.yaml` or `.yml`, in any case, are searched. Only paths that contain `filter` are returned.
/// \throws InputError if a path does not exist or cannot be read, a given folder has no scenario, a given file is a
/// campaign, or two scenarios have the same golden file
FoundScenarios find_scenarios(const std::vector<std::filesystem::path>& paths, const std::string& filter);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Finding the scenarios below a folder.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// True unless the scenario leaves out the hardware (`model: message`), and with it the links to trace.
bool has_links(const std::filesystem::path& scenario);

/// What stands among and below some paths.
struct FoundScenarios {
  std::vector<std::filesystem::path> scenarios;  ///< each once, sorted
  /// YAML files that are none, sorted: campaigns, and files below a folder that have neither of the top-level keys
  /// `schema` and `network`. One of the two, or its own name among the paths, makes a file a scenario, for if it is a faulty
  /// one it has to fail.
  std::vector<std::filesystem::path> skipped;
  std::int64_t filtered = 0;  ///< YAML files whose paths do not contain the filter
};

/// Those whose path contains `filter`. \throws InputError if a path does not exist.
FoundScenarios find_scenarios(const std::vector<std::filesystem::path>& paths, const std::string& filter);

}  // namespace starloom

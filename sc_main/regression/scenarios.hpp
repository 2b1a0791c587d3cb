#pragma once
/// \file Finding the scenarios below a folder.
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// True for a YAML file with the top-level keys `schema` and `network`: an experiment, not a data file or a campaign.
/// A file that is not YAML counts if it has lines that begin with both: it is an experiment with a fault.
bool is_scenario(const std::filesystem::path& file);

/// True unless the scenario leaves out the hardware (`model: message`), and with it the links to trace.
bool has_links(const std::filesystem::path& scenario);

/// What stands among and below some paths.
struct FoundScenarios {
  std::vector<std::filesystem::path> scenarios;  ///< each once, sorted
  /// YAML files that are none, sorted: data, a campaign, or a scenario whose `schema` or `network` is misspelt.
  std::vector<std::filesystem::path> skipped;
};

/// Those whose path contains `filter`. \throws InputError if a path does not exist.
FoundScenarios find_scenarios(const std::vector<std::filesystem::path>& paths, const std::string& filter);

}  // namespace starloom

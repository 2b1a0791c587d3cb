#pragma once
/// \file Golden digests: what a scenario's files were when somebody looked at them and was content.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace starloom {

/// `NAME.golden.json` beside `NAME.yaml`.
std::filesystem::path golden_file(const std::filesystem::path& scenario);

/// SHA-256 of trace.csv (if the run has one), packets.csv, and result.json without `version`, of an output folder. \throws InputError
nlohmann::ordered_json golden_digests(const std::filesystem::path& folder);

/// The files of `folder` whose digests are not those of `golden`. \throws InputError if `golden` cannot be read.
std::vector<std::string> golden_differences(const std::filesystem::path& golden, const std::filesystem::path& folder);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Golden files: what a scenario's files were when somebody looked at them and was content.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace starloom {

/// `NAME.golden.json` beside `NAME.yaml`.
std::filesystem::path golden_file(const std::filesystem::path& scenario);

/// The golden file of an output folder: SHA-256 of trace.csv (if the run has one), packets.csv, and result.json without
/// `version`. To say what changed, also `metrics`, result.json without `version` and `experiment`, its long lists as
/// their length and digest; and `blocks` {file: {`rows`, `digests`}}, a digest for every 1,000 rows. \throws InputError
nlohmann::ordered_json golden_json(const std::filesystem::path& folder);

/// How an output folder differs from a golden file.
struct GoldenDifferences {
  std::vector<std::string> files;  ///< those with another digest; none: the folder is as it was
  /// What it is, as far as the golden file tells: `links.flit_hops is 31, was 30 (+3.3 %)`, `trace.csv differs first in
  /// rows 2001 to 3000, steps 41 to 60` (those that stand there now).
  std::vector<std::string> details;
};

/// Golden files of digests alone are as good; they give no details. \throws InputError if `golden` cannot be read.
GoldenDifferences golden_differences(const std::filesystem::path& golden, const std::filesystem::path& folder);

}  // namespace starloom

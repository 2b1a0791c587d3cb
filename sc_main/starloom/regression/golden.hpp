// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Golden files: the digests of a scenario's files when a developer checked and accepted them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace starloom {

/// `NAME.golden.json` beside `NAME.yaml`.
std::filesystem::path golden_file(const std::filesystem::path& scenario);

/// The golden file of an output folder: SHA-256 of trace.csv (if the run has one), packets.csv, and result.json
/// without `version`. To describe changes, also `metrics`, result.json without `version` and `experiment`, with long
/// lists (by the plain fields of their records) replaced by their length and digest; and `blocks` {file: {`rows`,
/// `digests`}}, a digest for every 1,000 rows. \throws InputError
nlohmann::ordered_json golden_json(const std::filesystem::path& folder);

/// Its text: a line for each value, and digests of blocks in rows.
std::string golden_text(const nlohmann::ordered_json& golden);

/// The differences of an output folder from a golden file.
struct GoldenDifferences {
  std::vector<std::string> files;  ///< those with another digest; none: the folder is unchanged
  /// The differences, as far as the golden file contains them: `links.flit_hops is 31, was 30 (+3.3 %)`, `trace.csv
  /// differs first in rows 2001 to 3000, steps 41 to 60` (of the new file).
  std::vector<std::string> details;
};

/// Golden files with digests only are also valid; they give no details. \throws InputError if `golden` cannot be
/// read.
GoldenDifferences golden_differences(const std::filesystem::path& golden, const std::filesystem::path& folder);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Joins stores, for example those of shards.
#include <cstdint>
#include <filesystem>
#include <vector>

namespace starloom {

struct MergeReport {
  std::int64_t added = 0;    ///< runs that were not in the target before
  std::int64_t already = 0;  ///< runs that were
  std::int64_t points = 0;   ///< of the target, afterwards
};

/// Adds all points and runs of `sources` to `target`, which is created if it does not exist. All or none.
/// \throws InputError if two stores differ in the same run, or come from different versions.
MergeReport merge_stores(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& target);

}  // namespace starloom

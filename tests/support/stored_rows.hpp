// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All results in a store, for comparison, without the times of runs.
#include <algorithm>
#include <string>
#include <vector>

#include <starloom/campaign/store.hpp>

namespace starloom {

/// A line for each row, in the order of strings: std::includes takes no other.
inline std::vector<std::string> stored_rows(const std::filesystem::path& file) {
  Store store(file, Database::Mode::read);
  std::vector<std::string> rows;
  Statement select = store.database().prepare(
      "SELECT key || ' ' || version || ' ' || label || ' ' || runs.idx || ' ' || outcome || ' ' || runs.figures || ' ' "
      "|| coalesce(result, '') FROM runs JOIN points ON points.id = runs.point LEFT JOIN results ON results.point = "
      "runs.point AND results.idx = runs.idx");
  while (select.next()) rows.push_back(select.text(0));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace starloom

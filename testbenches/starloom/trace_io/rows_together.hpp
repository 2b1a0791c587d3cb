// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rows of a file that belong to one step or slot, for readers that are one row ahead.
#include <vector>

namespace starloom {

/// Replaces `rows` by `ahead` and the following rows with the same `time`, each read into `ahead` by `read_row`,
/// which is false at the end of the file. False (and no rows) at the end.
template <class Row, class Time, class ReadRow>
bool rows_together(std::vector<Row>& rows, const Row& ahead, bool& has_ahead, Time Row::*time,
                   const ReadRow& read_row) {
  rows.clear();
  while (has_ahead && (rows.empty() || rows.front().*time == ahead.*time)) {
    rows.push_back(ahead);
    has_ahead = read_row();
  }
  return !rows.empty();
}

}  // namespace starloom

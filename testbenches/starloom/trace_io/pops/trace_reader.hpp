// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Reading `trace.csv` and `trace.csv.gz` of a POPS network (docs/pops.md).
#include <filesystem>
#include <vector>

#include <starloom/core/pops/trace.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::pops {

/// Yields the rows slot by slot. Cells must be valid (numbers, names of events and kinds); the referee checks the
/// order and consistency of rows. Errors are InputErrors `file:line:column: text`.
class TraceReader {
 public:
  /// \throws InputError
  explicit TraceReader(const std::filesystem::path& file);

  /// Restarts, without the rows of slots before `slot` as far as they can be skipped unread.
  void skip_to(Step slot);
  /// Replaces `rows` by the next rows that name the same slot. False (and no rows) at the end. \throws InputError
  bool next(std::vector<TraceRow>& rows);

 private:
  bool read_row();

  CsvReader csv_;
  TraceRow ahead_;  ///< the first row of the next slot
  bool has_ahead_;
};

}  // namespace starloom::pops

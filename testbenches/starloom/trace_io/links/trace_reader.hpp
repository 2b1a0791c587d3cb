// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Reading `trace.csv` and `trace.csv.gz` of a grid (docs/output.md).
#include <filesystem>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {

/// Yields the rows step by step. Cells must be valid (numbers, names of events); the referee checks the order and
/// consistency of rows. Errors are InputErrors `file:line:column: text`.
class TraceReader {
 public:
  /// \throws InputError
  explicit TraceReader(const std::filesystem::path& file);

  /// True for the trace of a run with virtual channels.
  bool has_channels() const { return has_channels_; }
  /// Restarts, without the rows of steps before `step` as far as they can be skipped unread.
  void skip_to(Step step);
  /// Replaces `rows` by the next rows that name the same step. False (and no rows) at the end. \throws InputError
  bool next(std::vector<TraceRow>& rows);

 private:
  bool read_row();

  CsvReader csv_;
  TraceRow ahead_;  ///< the first row of the next step
  bool has_channels_;
  bool has_ahead_;
};

}  // namespace starloom::links

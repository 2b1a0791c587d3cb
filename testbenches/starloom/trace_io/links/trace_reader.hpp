// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Reading `trace.csv` and `trace.csv.gz` of a grid (docs/output.md).
#include <filesystem>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/trace_io/csv_reader.hpp>
#include <starloom/trace_io/links/subnet_rows.hpp>

namespace starloom::links {

/// Yields the rows step by step. Cells must be valid (numbers, names of events); the referee checks the order and
/// consistency of rows. Errors are InputErrors `file:line:column: text`.
class TraceReader {
 public:
  /// \param packets with subnets: those of the run, which outlive the reader. \throws InputError
  explicit TraceReader(const std::filesystem::path& file, const SubnetRows& subnets = {},
                       const std::vector<Packet>* packets = nullptr);

  /// True for the trace of a run with virtual channels.
  bool has_channels() const { return has_channels_; }
  /// Restarts, without the rows of steps before `step` as far as they can be skipped unread.
  void skip_to(Step step);
  /// Replaces `rows` by the next rows that name the same step. False (and no rows) at the end. \throws InputError
  bool next(std::vector<TraceRow>& rows);

 private:
  bool read_row();

  CsvReader csv_;
  const SubnetRows subnets_;
  const std::vector<Packet>* packets_;
  TraceRow ahead_;             ///< the first row of the next step
  TraceRow in_file_{no_step};  ///< the same as the file has it
  bool has_channels_;
  bool has_ahead_;
};

}  // namespace starloom::links

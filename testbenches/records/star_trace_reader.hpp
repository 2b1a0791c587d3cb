#pragma once
/// \file Reading `trace.csv` and `trace.csv.gz` of a POPS network (docs/pops.md).
#include <filesystem>
#include <vector>

#include "core/star_trace.hpp"
#include "records/csv_reader.hpp"

namespace starloom {

/// Yields the rows slot by slot. Cells must read as what they are (numbers, names of events and kinds); whether rows are
/// in order and make sense is the referee's business. Faults are InputErrors `file:line:column: text`.
class StarTraceReader {
 public:
  /// \throws InputError
  explicit StarTraceReader(const std::filesystem::path& file);

  /// Replaces `rows` by the next rows that name the same slot. False (and no rows) at the end. \throws InputError
  bool next(std::vector<StarRow>& rows);

 private:
  bool read_row();

  CsvReader csv_;
  StarRow ahead_;  ///< the first row of the next slot
  bool has_ahead_;
};

}  // namespace starloom

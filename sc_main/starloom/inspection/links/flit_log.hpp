// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rows of a part of a trace, flit by flit.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom::links {

/// Reads a trace, and keeps the rows of a window, and for each flit the last row before it.
class FlitLog {
 public:
  /// \throws InputError for damage, and for more than `most` rows in the window.
  FlitLog(const RunFiles& run, const TraceWindow& window, std::int64_t most);

  /// By packet, flit and step; keys and tokens, which have no packet, come first, by node and port. Rows `drop` are not
  /// kept: all flits of a packet vanish in the step of its loss.
  const std::vector<TraceRow>& rows() const { return rows_; }
  Step first() const { return first_; }  ///< of the trace
  Step last() const { return last_; }
  /// The trace does not cover the whole run.
  bool is_window() const { return is_window_; }

 private:
  void row(const TraceRow& row, const TraceWindow& window);
  void look_for_gaps(const RunFiles& run);

  std::vector<TraceRow> rows_;
  std::unordered_map<std::uint64_t, TraceRow> before_;  ///< by flit; `rows_` is sorted after they are added
  Step first_ = no_step;
  Step last_ = no_step;
  bool is_window_ = false;
  std::vector<bool> known_;  ///< [packet] a row has named it
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where something stands in what the user gave us, and the faults found there.
#include <string>
#include <tuple>

#include <starloom/schema/diagnostic_list.hpp>

namespace starloom {

/// A place in a file, or an option of the command line (line 0).
struct SourceLocation {
  std::string source;  ///< file name, or e.g. `--set limits.steps`
  int line = 0;        ///< from 1
  int column = 0;      ///< from 1

  /// `file:line:column`, or the option.
  std::string text() const;
  /// The place before a fault that names its key. `--set traffic.rate: -1 is out of range`, `--set sead: unknown key`:
  /// an option names the key already.
  std::string before(const std::string& error) const;
};

/// Collects the faults of one pass, so that the user sees them together, the first of them by their places.
class Diagnostics {
 public:
  void add(const SourceLocation& location, const std::string& text);
  /// Faults of a data file: a text that says their places itself, of bounded length. Stands behind those of the
  /// experiment.
  void add_placed(const std::string& text);
  bool any() const { return diagnostics_.any() || !placed_.empty(); }
  /// \throws InputError with one line a fault, in the order of the file, if there are any.
  void raise() const;

 private:
  /// Line and column. Options have none; they were applied after the file, so they come after it.
  DiagnosticList<std::tuple<bool, int, int>> diagnostics_;
  std::string placed_;
};

}  // namespace starloom

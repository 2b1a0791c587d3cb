// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Locations in the input, and the errors found there.
#include <string>
#include <tuple>

#include <starloom/schema/diagnostic_list.hpp>

namespace starloom {

/// A location in a file, or an option of the command line (line 0).
struct SourceLocation {
  std::string source;  ///< file name, or e.g. `--set limits.steps`
  int line = 0;        ///< from 1
  int column = 0;      ///< from 1

  /// `file:line:column`, or the option.
  std::string text() const;
  /// The location before an error that names its key. `--set traffic.rate: -1 is out of range`, `--set sead: unknown
  /// key`: an option names the key already.
  std::string before(const std::string& error) const;
};

/// Collects the errors of one pass, so that the user sees them together, sorted by their locations.
class Diagnostics {
 public:
  void add(const SourceLocation& location, const std::string& text);
  /// Errors of a data file: a text that contains their locations, of bounded length. They follow those of the
  /// experiment.
  void add_placed(const std::string& text);
  bool any() const { return diagnostics_.any() || !placed_.empty(); }
  /// \throws InputError with one line per error, in the order of the file, if there are any.
  void raise() const;

 private:
  /// Line and column. Options have none; they were applied after the file, so they come after it.
  DiagnosticList<std::tuple<bool, int, int>> diagnostics_;
  std::string placed_;
};

}  // namespace starloom

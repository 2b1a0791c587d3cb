// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The form of faults in input files.
#include <regex>
#include <sstream>
#include <string>

namespace starloom {

/// Every line but the number of further faults has the form `file:line:column: text`, in netrace files that of `file:
/// record N (offset M): text`; only a file without any content has no location in it.
inline bool are_placed(const std::string& diagnostics) {
  static const std::regex form(
      "[^:]+:[1-9][0-9]*:[1-9][0-9]*: .+|[^:]+: record [0-9]+ \\(offset [0-9]+\\): .+|[^:]+: the file is empty|and "
      "[0-9]+ more");
  std::istringstream lines(diagnostics);
  bool any = false;
  for (std::string line; std::getline(lines, line); any = true)
    if (!std::regex_match(line, form)) return false;
  return any;
}

}  // namespace starloom

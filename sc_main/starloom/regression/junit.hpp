// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Results of a regression as JUnit XML, for build servers.
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// One scenario of a regression.
struct ScenarioReport {
  std::string name;  ///< as `shown`
  double seconds = 0;
  std::string error;     ///< the reason for the failure, empty if it passed
  bool compared = true;  ///< with a golden file; false: it has none
};

/// The start of the root element, by which the program recognises its own reports.
inline constexpr std::string_view junit_mark = "<testsuite name=\"starloom regress\"";

std::string junit_text(const std::vector<ScenarioReport>& reports);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Results of a regression as JUnit XML, for build servers.
#include <string>
#include <vector>

namespace starloom {

/// One scenario of a regression.
struct ScenarioReport {
  std::string name;
  double seconds = 0;
  std::string fault;     ///< why it failed, empty if it passed
  bool compared = true;  ///< with a golden file; false: it has none
};

std::string junit_text(const std::vector<ScenarioReport>& reports);

}  // namespace starloom

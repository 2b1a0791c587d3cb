// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom regress`: every scenario below some paths, each in a process of its own.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

struct RegressOptions {
  std::vector<std::filesystem::path> paths;
  int jobs = 1;                                ///< number of parallel processes
  std::string filter;                          ///< substring of the path
  std::optional<std::filesystem::path> junit;  ///< file for JUnit XML
  bool update = false;                         ///< write the golden digests instead of comparing with them
};

/// Status 0 or 6; 2 if a path is not a scenario or folder of scenarios, 5 before any run if `junit` cannot be written.
Ending run_regression(const Catalogue& catalogue, const RegressOptions& options);

}  // namespace starloom

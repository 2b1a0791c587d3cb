// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom demo`: an example run that needs only the program.
#include <filesystem>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

struct DemoOptions {
  std::filesystem::path out = "starloom-demo";
  bool force = false;  ///< replace the files of an earlier demo in the folder
};

/// Writes demo.yaml and its task graph into the folder, runs it with trace and waves, the result into `out` there,
/// and prints what to type next. \throws OutputError if one of them exists, without `force`
Ending run_demo(const Catalogue& catalogue, const DemoOptions& options);

}  // namespace starloom

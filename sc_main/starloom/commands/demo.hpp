// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom demo`: a run worth looking at, from nothing but the program.
#include <filesystem>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

struct DemoOptions {
  std::filesystem::path out = "starloom-demo";
  bool force = false;  ///< replace what an earlier demo left in the folder
};

/// Writes demo.yaml and the task graph that it names into the folder, runs it with its trace and waves, the result into
/// `out` there, and says what to type next. \throws OutputError if one of them is there, without `force`
Ending run_demo(const Catalogue& catalogue, const DemoOptions& options);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom replay`: a page for browsers that shows a run.
#include <filesystem>
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/inspection/run_folder.hpp>

namespace starloom {

struct ReplayOptions {
  std::filesystem::path folder;
  std::optional<std::filesystem::path> out{};  ///< empty: `replay.html` in the folder
  TraceWindow window{};
};

/// Writes the page; only an earlier page is replaced. \throws InputError if the folder lacks a file that the page
/// needs, OutputError.
Ending write_replay(const RunFolder& run, const ReplayOptions& options);

}  // namespace starloom

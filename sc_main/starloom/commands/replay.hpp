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
  std::optional<std::filesystem::path> out{};  ///< nothing: `replay.html` in the folder
  TraceWindow window{};
};

/// Writes the page; an earlier page is replaced, nothing else. \throws InputError if the folder does not have what it
/// takes, OutputError.
Ending write_replay(const RunFolder& run, const ReplayOptions& options);

}  // namespace starloom

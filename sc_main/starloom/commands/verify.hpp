// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom verify`: the referee on an output folder.
#include <filesystem>

#include <starloom/commands/ending.hpp>
#include <starloom/inspection/run_folder.hpp>

namespace starloom {

/// Status 0, or 3 if a rule is broken. \throws InputError if a file cannot be read as its format.
Ending verify_output(const RunFolder& run, const std::filesystem::path& folder);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The location of the trace of an output folder.
#include <filesystem>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

/// \throws InputError if the folder has none.
inline std::filesystem::path find_trace(const std::filesystem::path& folder) {
  for (const char* const name : {"trace.csv", "trace.csv.gz"})
    if (is_there(folder / name)) return folder / name;
  throw InputError(folder.string() + ": there is no trace.csv or trace.csv.gz; run with --trace");
}

}  // namespace starloom

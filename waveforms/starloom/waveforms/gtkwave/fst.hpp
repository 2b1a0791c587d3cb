// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file GTKWave's compressed dumps (FST).
#include <filesystem>

namespace starloom {

/// Converts a VCD file with the program `vcd2fst`. The VCD file is kept.
/// \throws OutputError if the program is missing (with the name of its package) or does not make a complete file; an
/// incomplete one is removed.
void convert_to_fst(const std::filesystem::path& vcd, const std::filesystem::path& fst);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom show`: a picture in text of one slot on a POPS network.
#include <filesystem>
#include <string>

#include <starloom/core/ids.hpp>

namespace starloom::pops {

/// The matrix of the couplers, source groups by destination groups, and lists of their messages and listeners, from
/// result.json, packets.csv (if it exists) and the trace of an output folder.
/// \throws InputError if a file is missing or cannot be read as its format.
std::string slot_text(const std::filesystem::path& folder, Step slot);

}  // namespace starloom::pops

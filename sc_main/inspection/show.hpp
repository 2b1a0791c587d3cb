#pragma once
/// \file `starloom show`: a picture in text of one step or slot.
#include <filesystem>
#include <string>

#include <starloom/core/ids.hpp>

namespace starloom {

/// What an output folder says of a step (of a slot, on a POPS network).
/// \throws InputError if a file is missing or cannot be read as its format.
std::string show_text(const std::filesystem::path& folder, Step step);

}  // namespace starloom

#pragma once
/// \file `starloom show`: a picture in text of one step.
#include <filesystem>
#include <string>

#include "commands/snapshot.hpp"

namespace starloom {

/// A grid of two dimensions is drawn: a cell shows how many packets are in a node, `>`, `<`, `^` and `v` the links that
/// carry something. Behind it, and for other shapes alone, lists of what is on links and in nodes.
std::string picture_text(const Snapshot& snapshot);

/// The same of a slot of a POPS network, from result.json, packets.csv (if there) and the trace of an output folder:
/// the matrix of its couplers, source groups by destination groups, and lists of what they carry and who hears it.
/// \throws InputError if a file is missing or cannot be read as its format.
std::string slot_text(const std::filesystem::path& folder, Step slot);

/// True for the output folder of a run on a POPS network.
bool is_star_run(const std::filesystem::path& folder);

}  // namespace starloom

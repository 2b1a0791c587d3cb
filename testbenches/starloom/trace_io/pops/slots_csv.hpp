// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `slots.csv`: the use of the couplers of a POPS network, slot by slot (docs/pops.md).
#include <filesystem>
#include <vector>

#include <starloom/core/pops/slot_counts.hpp>

namespace starloom::pops {

/// A row for each slot, from 0 on. \throws OutputError
void write_slots(const std::filesystem::path& file, const std::vector<SlotCounts>& slots);

/// Strict: every line is complete, slots are numbered 0, 1, 2, ... \throws InputError `file:line:column: text`
std::vector<SlotCounts> read_slots(const std::filesystem::path& file);

}  // namespace starloom::pops

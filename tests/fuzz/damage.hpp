// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Damages a text as editors, disks and users do.
#include <string>

#include "fuzz/dice.hpp"

namespace starloom {

/// One to three damages: bytes changed, removed or inserted; words replaced by others of the text or by awkward ones;
/// lines removed, doubled or exchanged; the end cut off.
std::string damaged(std::string text, Dice& dice);

}  // namespace starloom

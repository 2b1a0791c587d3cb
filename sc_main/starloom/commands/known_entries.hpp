// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What readers of output folders are told of the entries of a catalogue.
#include <starloom/experiment/catalogue.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom {

/// Refers to the catalogue, which must outlive it.
KnownEntries known_entries(const Catalogue& catalogue);

}  // namespace starloom

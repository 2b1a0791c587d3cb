// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The entries of a catalogue, in the form for readers of output folders.
#include <starloom/experiment/catalogue.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom {

/// Refers to the catalogue, which must outlive it.
KnownEntries known_entries(const Catalogue& catalogue);

}  // namespace starloom

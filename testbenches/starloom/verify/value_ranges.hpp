// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks the numbers of the experiment in a result.json against the ranges of their keys.
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom {

/// A number outside its range cannot come from a run, and readers that relied on it could need any amount of memory.
/// \throws InputError for the first number outside the range of its key
void check_ranges(const ResultDocument& result, const KnownEntries& known);

}  // namespace starloom

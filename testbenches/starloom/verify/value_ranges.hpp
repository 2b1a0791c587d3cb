// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The numbers of the experiment that a result.json repeats, against the ranges of their keys.
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom {

/// What is not in the range of a run cannot come from one, and readers that believed it could need any amount of memory.
/// \throws InputError for the first number outside the range of its key
void check_ranges(const ResultDocument& result, const KnownEntries& known);

}  // namespace starloom

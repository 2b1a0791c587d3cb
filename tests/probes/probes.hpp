// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Small controllers that prove clauses of the model (docs/model.md) and have no other use.
#include <vector>

#include <starloom/control/algorithm_entry.hpp>

namespace starloom::links {

/// The entries of all of them.
const std::vector<AlgorithmEntry>& probe_table();

}  // namespace starloom::links

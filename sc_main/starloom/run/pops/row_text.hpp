// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A row of a trace in words.
#include <starloom/core/pops/trace.hpp>
#include <starloom/topology/pops/pops.hpp>
#include <string>

namespace starloom::pops {

/// The row as a sentence with instance names.
std::string describe(const TraceRow& row, const Pops& pops);

}  // namespace starloom::pops

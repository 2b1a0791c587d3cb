// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A row of a trace in words.
#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <string>

namespace starloom::links {

/// The row as a sentence with instance names.
std::string describe(const TraceRow& row, const NetworkGraph& graph);

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Minimal adaptive routing with up*/down* escape channels, on any network whose links go both ways.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Any channel but the first on any shortest path; the first channel of every port as up*/down* says. A packet that has
/// entered it stays in first channels up to its destination: one that went on over another channel could go up again,
/// and close a cycle (F. Silla and J. Duato, "High-Performance Routing in Networks of Workstations with Irregular
/// Topology", IEEE Trans. Parallel and Distributed Systems 11(7), 2000).
FunctionEntry up_down_adaptive_entry();

}  // namespace starloom::routing

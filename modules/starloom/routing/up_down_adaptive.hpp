// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Minimal adaptive routing with up*/down* escape channels, on any network with a link back for each link.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Any channel except the first on any shortest path; the first channel of every port in up*/down* order. A packet
/// that has entered it stays in first channels up to its destination: one that went on over another channel could go
/// up again, and close a cycle (F. Silla and J. Duato, "High-Performance Routing in Networks of Workstations with
/// Irregular Topology", IEEE Trans. Parallel and Distributed Systems 11(7), 2000).
FunctionEntry up_down_adaptive_entry();

}  // namespace starloom::routing

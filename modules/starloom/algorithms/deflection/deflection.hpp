// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Hot-potato routing of single flits: no flit is stored, and a packet that gets no good link is deflected.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry deflection_entry();

}  // namespace starloom::links

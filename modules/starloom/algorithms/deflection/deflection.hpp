// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Hot-potato routing of single flits: nothing is stored, and a packet that loses its links is sent astray.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry deflection_entry();

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What message-level models ask of the network.
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// \throws InputError for more couplers than a model has room for, 2^29.
void require_couplers(const Pops& pops);

}  // namespace starloom::pops

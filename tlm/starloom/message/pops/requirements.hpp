// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Requirements of message-level models.
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// \throws InputError for more couplers than a model supports, 2^29.
void require_couplers(const Pops& pops);

}  // namespace starloom::pops

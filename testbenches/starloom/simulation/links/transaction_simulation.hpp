// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions without hardware: the loosely and the approximately timed view.
#include <starloom/simulation/links/simulation.hpp>

namespace starloom::links {

/// Runs `setup.transactions`. Without trace, referee and buffers; link loads follow the routing function.
SimulationResult simulate_transactions(const SimulationSetup& setup);

}  // namespace starloom::links

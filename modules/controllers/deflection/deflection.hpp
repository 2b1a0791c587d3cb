#pragma once
/// \file Hot-potato routing of single flits: nothing is stored, and a packet that loses its links is sent astray.
#include "controllers/algorithm.hpp"

namespace starloom {

AlgorithmEntry deflection_entry();

}  // namespace starloom

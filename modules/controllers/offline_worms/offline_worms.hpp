#pragma once
/// \file Off-line routing of worms on a mesh, replayed (Roberts and Symvonis, TR 490, section 2).
#include "controllers/algorithm.hpp"

namespace starloom {

/// `offline-worms`: worms of k flits leave when a plan says, along the row first, and never stand.
/// docs/algorithms/multistage.md
AlgorithmEntry offline_worms_entry();

}  // namespace starloom

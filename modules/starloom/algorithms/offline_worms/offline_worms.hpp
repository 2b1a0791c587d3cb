// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offline routing of worms on a mesh, replayed (Roberts and Symvonis, TR 490, section 2).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `offline-worms`: worms of k flits follow a plan, along the row first, and never wait on their path.
/// docs/algorithms/multistage.md
AlgorithmEntry offline_worms_entry();

}  // namespace starloom::links

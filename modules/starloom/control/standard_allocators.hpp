// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The entries of `standard_allocators()`, which have the names of BookSim2's allocators in
/// docs/router-family.md.
#include <starloom/control/allocators.hpp>

namespace starloom {

/// Separable: each line of one side picks one of its requests, then each line of the other side picks one of those.
AllocatorEntry islip_entry();
AllocatorEntry priority_islip_entry();
AllocatorEntry input_first_entry();
AllocatorEntry output_first_entry();
/// Diagonals of the matrix of requests, one after the other.
AllocatorEntry wavefront_entry();
AllocatorEntry wavefront_skip_entry();
/// Outputs with few requests first.
AllocatorEntry lonely_output_entry();

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Planar-adaptive routing on meshes of rows and columns.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Both shortest directions, with three classes of channels: the third for links of a row and, when the column of the
/// destination is reached, for those of that column; before, links of a column have the first class for packets that go
/// east and the second for those that go west. The classes have V / 3 channels, rounded down, and the third the rest
/// (A. Chien and J. H. Kim, "Planar-Adaptive Routing: Low-Cost Adaptive Networks for Multiprocessors", ISCA 1992;
/// `planar_adapt` of BookSim2 if heads request all choices).
FunctionEntry planar_adaptive_entry();

}  // namespace starloom::routing

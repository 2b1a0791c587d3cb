// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Edge colouring of regular bipartite multigraphs, the basis of offline routing.
#include <cstdint>
#include <vector>

namespace starloom {

/// Colours the edges of a D-regular bipartite multigraph with D colours: each colour is a perfect matching (König).
///
/// Edge e joins left vertex `left[e]` and right vertex `right[e]`, both in [0, vertices); parallel edges are allowed,
/// and D is left.size() / vertices, odd or even. Returns the edges class by class: element [colour * vertices + l] is
/// the edge of that colour at left vertex l.
///
/// Time O(E log D), and a matching by random walks, O(V log V) expected, for each odd degree of the recursion; the
/// result depends only on the arguments. 20 bytes of working memory per edge.
/// \throws std::invalid_argument if the arrays differ in length, a vertex is out of range, or the graph is not
/// regular.
std::vector<std::int32_t> edge_colouring(std::int32_t vertices, const std::vector<std::int32_t>& left,
                                         const std::vector<std::int32_t>& right);

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offline permutations on a mesh as the product of two lines (F. Annexstein, M. Baumslag, SPAA'90; theorem 2 of
/// TR 477): along the longer side once, along the shorter one before and after.
#include <cstdint>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// \throws InputError if the grid is not a mesh of rows and columns.
void check_product_mesh(const Grid& grid);

/// Three phases, each a permutation of every row or of every column, in which all packets leave in the first stage
/// and never stop: packets stay in nodes only between phases, one packet per node. A phase begins when the previous
/// one has ended. An edge colouring of the demand between rows (or columns) determines the first phase.
///
/// \param packets  a permutation of the nodes, or part of one
/// \throws InputError as `check_product_mesh` and `check_packets`, or if two packets have the same source or the same
/// destination.
Plan plan_product(const Grid& mesh, const std::vector<Packet>& packets);

/// a + 2b - 3 on a x b nodes, a >= b; 3n - 3 on n x n. 0 for a single node.
std::int64_t product_bound(const Grid& mesh);

}  // namespace starloom::links

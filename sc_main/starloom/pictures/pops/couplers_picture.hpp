// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `couplers.svg`: the use of the couplers of a POPS network.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/pictures/pops/coupler_film.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>

namespace starloom::pops {

/// A matrix of couplers for each slot of the film, a row for each cycle, and one with the drives of the whole run.
/// Rows of a matrix are source groups, columns destination groups. With more than 32 groups a tile represents a block
/// of couplers.
/// \param load drives with data, [Pops::coupler]. \param dead null if there are none.
std::string couplers_picture(const Pops& pops, const DeadCouplers* dead, const std::vector<CouplerFrame>& film,
                             const std::vector<std::int64_t>& load, const std::string& title);

}  // namespace starloom::pops

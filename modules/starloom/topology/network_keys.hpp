// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as an experiment names it, before it is made.
#include <string>

#include <starloom/schema/keys.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom {

struct NetworkKeys {
  std::string topology;  ///< the name of an entry
  KeyValues keys;        ///< below `network:`, besides `topology`
};

/// The arithmetic of a mesh or torus. `network`: of one of these two.
inline Grid grid_of(const NetworkKeys& network) {
  const auto& shape = network.keys.list("shape");
  return network.topology == "torus" ? Grid::torus(shape) : Grid::mesh(shape);
}

}  // namespace starloom

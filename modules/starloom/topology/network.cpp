// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/network.hpp>

#include <starloom/topology/grid/grid_graph.hpp>

namespace starloom {

LinkNetwork link_network(const Grid& grid, std::int32_t link_latency) {
  std::string title = grid.kind_name();
  const char* between = " ";
  for (const auto side : grid.shape()) {
    title += between + std::to_string(side);
    between = " x ";
  }
  return {title, make_grid_graph(grid, link_latency), grid, grid.kind_name()};
}

}  // namespace starloom

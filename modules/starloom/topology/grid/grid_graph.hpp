// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network graph of a mesh or torus.
#include <cstdint>
#include <vector>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Positions of the nodes of a grid on paper. Axes run across and down in turn, in the order in which dimension order
/// visits them: a mesh of rows and columns looks as its coordinates say, the third axis puts planes side by side, one
/// cell apart, the fourth one below the other.
class GridPositions {
 public:
  explicit GridPositions(const Grid& grid);
  PaperPosition position(NodeId node) const;

 private:
  struct Side {
    bool across = true;
    double stride = 1;  ///< cells from one coordinate to the next
  };
  Grid grid_;
  std::vector<Side> sides_;  ///< by axis
};

NetworkSize grid_graph_size(const Grid& grid);

/// Nodes, ports, names and distances of the grid; in-port q faces the same neighbour as out-port q. Positions are
/// those of GridPositions.
/// \param link_latency of all links, in steps.
/// \throws InputError if the grid has more ports than a graph can number, or the latency is below 1.
NetworkGraph make_grid_graph(const Grid& grid, std::int32_t link_latency = 1);

}  // namespace starloom

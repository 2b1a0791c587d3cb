// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/hypercube.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {
namespace {

/// Throws before anything is allocated.
int checked_dimensions(std::int64_t dimensions) {
  if (dimensions < 1 || dimensions > Hypercube::most_dimensions)
    throw InputError("a hypercube has 1 to 26 dimensions, not " + std::to_string(dimensions) +
                     ", because it has 2^dimensions nodes");
  return static_cast<int>(dimensions);
}

/// Shift of a row or column, so that few links in the other direction pass through nodes.
double shift(int line) {
  const int in_four = line % 4;
  return (in_four == 1 || in_four == 2 ? 0.45 : 0) + (line / 4 % 2 == 1 ? 0.4 : 0);
}

/// Bits are columns and rows in turn, the lowest a column.
PaperPosition cube_position(NodeId node) {
  constexpr double apart = 1.4;  // cells
  int column = 0, row = 0;
  for (int bit = 0; node >> bit != 0; ++bit)
    if ((node >> bit & 1) != 0) (bit % 2 == 0 ? column : row) |= 1 << (bit / 2);
  return {apart * column + shift(row), apart * row + shift(column)};
}

std::string binary(NodeId node, int digits) {
  std::string text;
  for (int bit = digits - 1; bit >= 0; --bit) text += (node >> bit & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace

Hypercube::Hypercube(std::int64_t dimensions) : dimensions_(checked_dimensions(dimensions)) {}

NetworkSize Hypercube::size() const { return hypercube_size(dimensions_); }

NetworkSize hypercube_size(std::int64_t dimensions) {
  const double nodes = std::pow(2.0, static_cast<double>(dimensions));
  return {nodes, nodes * static_cast<double>(dimensions)};
}

NetworkGraph make_hypercube(const Hypercube& cube, std::int32_t link_latency) {
  constexpr int most_axes = 16;  // of a grid
  const int dimensions = cube.dimensions();
  NetworkGraphBuilder builder;
  builder.expect(cube.nodes(), dimensions);
  std::vector<std::string> names;
  for (int bit = 0; bit < dimensions; ++bit) names.push_back("bit" + std::to_string(bit));
  const PortNaming ports = builder.name_ports(names);
  for (NodeId node = 0; node < cube.nodes(); ++node)
    builder.add_node(NodeRole::processor, "node_" + binary(node, dimensions), cube_position(node), ports);
  for (NodeId node = 0; node < cube.nodes(); ++node)
    for (Port port = 0; port < dimensions; ++port)
      builder.add_link({node, port}, {Hypercube::neighbour(node, port), port}, {link_latency});
  if (dimensions <= most_axes)
    builder.set_arrangement(Grid::mesh(std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), 2)));
  builder.set_distance(Hypercube::distance, dimensions);
  return builder.build();
}

}  // namespace starloom

#include <starloom/topology/hypercube.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <starloom/core/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {
namespace {

/// Throws before anything is allocated.
int checked_dimensions(std::int64_t dimensions) {
  if (dimensions < 1 || dimensions > Hypercube::most_dimensions)
    throw InputError("a hypercube has 1 to 26 dimensions, not " + std::to_string(dimensions) +
                     ", for it has 2^dimensions nodes");
  return static_cast<int>(dimensions);
}

/// Three bits make a cube seen from the side, the next three a cube of such cubes, and so on; a little askew, so that
/// few links run through nodes.
PaperPlace cube_place(NodeId node) {
  constexpr PaperPlace ways[] = {{2, 0.16}, {-0.16, 2}, {0.9, 0.72}};
  constexpr double larger = 2.1;  // than the cube before
  PaperPlace place;
  double scale = 1;
  for (int bit = 0; node >> bit != 0; ++bit) {
    if ((node >> bit & 1) != 0) {
      place.x += scale * ways[bit % 3].x;
      place.y += scale * ways[bit % 3].y;
    }
    if (bit % 3 == 2) scale *= larger;
  }
  return place;
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
    builder.add_node(NodeRole::processor, "node_" + binary(node, dimensions), cube_place(node), ports);
  for (NodeId node = 0; node < cube.nodes(); ++node)
    for (Port port = 0; port < dimensions; ++port)
      builder.add_link({node, port}, {Hypercube::neighbour(node, port), port}, {link_latency});
  if (dimensions <= most_axes)
    builder.set_arrangement(Grid::mesh(std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), 2)));
  builder.set_distance(Hypercube::distance, dimensions);
  return builder.build();
}

}  // namespace starloom

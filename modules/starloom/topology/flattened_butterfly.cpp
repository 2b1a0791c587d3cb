// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/flattened_butterfly.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

/// `[4, 8]`
std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
  return "[" + text + "]";
}

double ports_to_switches(const std::vector<std::int64_t>& shape) {
  double sum = 0;
  for (const std::int64_t side : shape) sum += static_cast<double>(side) - 1;
  return sum;
}

std::vector<std::string> port_names(const Grid& mesh) {
  std::vector<std::string> names;
  for (const int axis : mesh.route_axes()) {
    const std::string along =
        mesh.has_rows_and_columns() ? (axis == 1 ? "row" : "column") : "dimension" + std::to_string(axis + 1) + "_";
    const std::int32_t others = mesh.side(axis) - 1;
    for (std::int32_t i = 0; i < others; ++i) names.push_back(along + index_text(i, others));
  }
  return names;
}

}  // namespace

FlattenedButterfly::FlattenedButterfly(const std::vector<std::int64_t>& shape, std::int64_t concentration)
    : ConcentratedSwitches({"a flattened butterfly", "a flattened butterfly " + shape_text(shape)}, shape,
                           concentration, starloom::ports_to_switches(shape)),
      first_port_(shape.size()) {
  Port next = 0;
  for (const int axis : mesh().route_axes()) {
    first_port_[static_cast<std::size_t>(axis)] = next;
    next += mesh().side(axis) - 1;
  }
}

NetworkSize FlattenedButterfly::size() const { return flattened_butterfly_size(mesh().shape(), concentration()); }

Port FlattenedButterfly::dimension_order_port(NodeId from, NodeId to) const {
  for (const int axis : mesh().route_axes()) {
    const std::int32_t coordinate = mesh().coordinate(to, axis);
    if (coordinate != mesh().coordinate(from, axis)) return port_to(from, axis, coordinate);
  }
  return no_port;
}

std::int32_t FlattenedButterfly::switch_distance(NodeId from, NodeId to) const {
  std::int32_t differ = 0;
  for (int axis = 0; axis < mesh().dimensions(); ++axis)
    differ += mesh().coordinate(from, axis) != mesh().coordinate(to, axis) ? 1 : 0;
  return differ;
}

std::int32_t FlattenedButterfly::distance(NodeId from, NodeId to) const {
  return with_terminals(from, to, switch_distance(number(from), number(to)));
}

std::int32_t FlattenedButterfly::diameter() const {
  const std::vector<std::int64_t>& shape = mesh().shape();
  const auto lines = std::count_if(shape.begin(), shape.end(), [](std::int64_t side) { return side > 1; });
  return processors() == 1 ? 0 : 2 + static_cast<std::int32_t>(lines);
}

NetworkSize flattened_butterfly_size(const std::vector<std::int64_t>& shape, std::int64_t concentration) {
  double switches = 1;
  for (const std::int64_t side : shape) switches *= static_cast<double>(side);
  return concentrated_size(shape, concentration, switches * ports_to_switches(shape));
}

NetworkGraph make_flattened_butterfly(const FlattenedButterfly& butterfly, std::int32_t link_latency) {
  const Grid& mesh = butterfly.mesh();
  NetworkGraphBuilder builder = with_switches_and_processors(butterfly, port_names(mesh), link_latency);
  for (NodeId number = 0; number < mesh.nodes(); ++number)
    for (const int axis : mesh.route_axes()) {
      std::vector<std::int32_t> at;
      for (int a = 0; a < mesh.dimensions(); ++a) at.push_back(mesh.coordinate(number, a));
      const std::int32_t own = mesh.coordinate(number, axis);
      for (std::int32_t coordinate = 0; coordinate < mesh.side(axis); ++coordinate) {
        if (coordinate == own) continue;
        at[static_cast<std::size_t>(axis)] = coordinate;
        const NodeId other = mesh.node_at(at);
        builder.add_link({butterfly.switch_at(number), butterfly.port_to(number, axis, coordinate)},
                         {butterfly.switch_at(other), butterfly.port_to(other, axis, own)}, {link_latency});
      }
    }
  builder.set_distance([butterfly](NodeId from, NodeId to) { return butterfly.distance(from, to); },
                       butterfly.diameter());
  return builder.build();
}

}  // namespace starloom

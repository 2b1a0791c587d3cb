// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/grid/grid.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include <starloom/topology/padded.hpp>

namespace starloom {

Grid Grid::mesh(std::vector<std::int64_t> shape) { return {GridKind::mesh, std::move(shape)}; }
Grid Grid::torus(std::vector<std::int64_t> shape) { return {GridKind::torus, std::move(shape)}; }

Grid::Grid(GridKind kind, std::vector<std::int64_t> shape)
    : kind_(kind), shape_(std::move(shape)), rows_and_columns_(kind == GridKind::mesh && shape_.size() == 2) {
  if (shape_.empty() || shape_.size() > most_dimensions)
    throw std::invalid_argument("a grid has 1 to 16 dimensions, not " + std::to_string(shape_.size()));
  std::int64_t count = 1;
  for (const std::int64_t side : shape_) {
    if (side < 1) throw std::invalid_argument("a side is at least 1, not " + std::to_string(side));
    if (side > (std::int64_t{1} << 30) / count) throw std::invalid_argument("a grid has at most 2^30 nodes");
    count *= side;
  }
  nodes_ = static_cast<NodeId>(count);

  const int d = dimensions();
  route_axes_.resize(d);
  std::iota(route_axes_.begin(), route_axes_.end(), 0);
  if (rows_and_columns_) std::reverse(route_axes_.begin(), route_axes_.end());
  // The axis that varies fastest in the node number is the one routed first, in both numberings.
  axes_.resize(static_cast<std::size_t>(d));
  const auto reciprocal = [](std::int32_t divisor) { return Reciprocal(static_cast<std::uint32_t>(divisor)); };
  std::int32_t stride = 1;
  for (const int axis : route_axes_) {
    axes_[static_cast<std::size_t>(axis)] = {side(axis), stride, reciprocal(side(axis)), reciprocal(stride)};
    stride *= side(axis);
  }
}

std::int64_t Grid::links() const {
  std::int64_t count = 0;
  for (int axis = 0; axis < dimensions(); ++axis) {
    const std::int64_t n = side(axis);
    const std::int64_t per_line = kind_ == GridKind::torus ? (n > 1 ? 2 * n : 0) : 2 * (n - 1);
    count += nodes_ / n * per_line;
  }
  return count;
}

int Grid::sign_of(Port port) const {
  // North and west lead to smaller coordinates; -i has the odd number.
  if (rows_and_columns_) return port == 0 || port == 3 ? -1 : 1;
  return (port & 1) != 0 ? -1 : 1;
}

NodeId Grid::neighbour(NodeId node, Port port) const {
  const int axis = axis_of(port);
  const std::int32_t n = side(axis);
  const std::int32_t x = coordinate(node, axis);
  std::int32_t y = x + sign_of(port);
  if (kind_ == GridKind::torus) {
    if (n == 1) return no_node;
    y = (y + n) % n;
  } else if (y < 0 || y >= n) {
    return no_node;
  }
  return node + (y - x) * axes_[static_cast<std::size_t>(axis)].stride;
}

NodeId Grid::node_at(const std::vector<std::int32_t>& coordinates) const {
  NodeId node = 0;
  for (int axis = 0; axis < dimensions(); ++axis)
    node += coordinates[axis] * axes_[static_cast<std::size_t>(axis)].stride;
  return node;
}

std::int32_t Grid::distance(NodeId from, NodeId to) const {
  std::int32_t sum = 0;
  for (int axis = 0; axis < dimensions(); ++axis) sum += std::abs(offset(from, to, axis));
  return sum;
}

std::int32_t Grid::diameter() const {
  std::int32_t sum = 0;
  for (int axis = 0; axis < dimensions(); ++axis) sum += kind_ == GridKind::torus ? side(axis) / 2 : side(axis) - 1;
  return sum;
}

std::string Grid::coordinates_text(NodeId node) const {
  if (rows_and_columns_)
    return "r" + padded(coordinate(node, 0), side(0)) + "_c" + padded(coordinate(node, 1), side(1));
  std::string text = "a";
  for (int axis = 0; axis < dimensions(); ++axis) {
    if (axis > 0) text += '_';
    text += padded(coordinate(node, axis), side(axis));
  }
  return text;
}

std::string Grid::node_name(NodeId node) const { return "node_" + coordinates_text(node); }

std::string Grid::port_name(Port port) const {
  static const char* const winds[] = {"north", "east", "south", "west"};
  if (rows_and_columns_) return winds[port];
  return (port % 2 == 0 ? "plus" : "minus") + std::to_string(port / 2 + 1);
}

std::string Grid::link_name(NodeId node, Port port) const {
  return "link_" + coordinates_text(node) + "_" + port_name(port);
}

std::string Grid::kind_name() const { return kind_ == GridKind::mesh ? "mesh" : "torus"; }

}  // namespace starloom

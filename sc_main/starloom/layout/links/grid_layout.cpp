// SPDX-License-Identifier: Apache-2.0
#include <starloom/layout/links/grid_layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/support/numbers.hpp>

namespace starloom::links {

GridLayout::GridLayout(const Grid& topology, int gap, std::int64_t most_nodes) : topology_(topology) {
  sides_.resize(static_cast<std::size_t>(topology.dimensions()));
  for (int axis = 0; axis < topology.dimensions(); ++axis) {
    Side& side = sides_[static_cast<std::size_t>(axis)];
    side.length = side.first = topology.side(axis);
  }
  shorten(most_nodes);
  bool across = true;
  size_ = {1, 1};
  for (const int axis : topology.route_axes()) {
    Side& side = sides_[static_cast<std::size_t>(axis)];
    int& extent = across ? size_.x : size_.y;
    side.across = across;
    side.stride = extent == 1 ? 1 : extent + gap;
    extent += (side.cells() - 1) * side.stride;
    across = !across;
  }
}

void GridLayout::shorten(std::int64_t most_nodes) {
  const auto drawn = [this] {
    std::int64_t nodes = 1;
    for (const Side& side : sides_) nodes *= side.first + side.last;
    return nodes;
  };
  // The longest sides first, all to the same length; if even two nodes per side are too many, the last axes to one.
  for (auto kept = static_cast<std::int32_t>(*std::max_element(topology_.shape().begin(), topology_.shape().end()) / 2);
       kept > 0 && drawn() > most_nodes; --kept)
    for (Side& side : sides_)
      if (2 * kept < side.length) side.first = side.last = kept;
  for (auto axis = topology_.route_axes().rbegin(); axis != topology_.route_axes().rend() && drawn() > most_nodes;
       ++axis) {
    Side& side = sides_[static_cast<std::size_t>(*axis)];
    side.first = 1;
    side.last = 0;
  }
  for (const Side& side : sides_) shortened_ = shortened_ || side.first + side.last < side.length;
}

std::optional<PaperPoint> GridLayout::cell(NodeId node) const {
  PaperPoint cell;
  for (int axis = 0; axis < topology_.dimensions(); ++axis) {
    const Side& side = sides_[static_cast<std::size_t>(axis)];
    std::int32_t at = topology_.coordinate(node, axis);
    if (at >= side.first) {
      if (at < side.length - side.last) return std::nullopt;
      at -= side.length - side.last - side.first - 1;  // after the cell of the middle
    }
    (side.across ? cell.x : cell.y) += at * side.stride;
  }
  return cell;
}

PaperPoint GridLayout::direction(Port port) const {
  const int sign = topology_.sign_of(port);
  return sides_[static_cast<std::size_t>(topology_.axis_of(port))].across ? PaperPoint{sign, 0} : PaperPoint{0, sign};
}

std::string rows_text(const Grid& topology) {
  if (topology.dimensions() != 2) return "";
  const PaperPoint cells = GridLayout(topology, 0).size();
  const bool mesh = topology.kind() == GridKind::mesh;
  const std::string rows = counted(cells.y, "row"), columns = counted(cells.x, "column");
  return mesh ? rows + ", " + columns : columns + ", " + rows + " (a torus is [x, y], a mesh [rows, columns])";
}

}  // namespace starloom::links

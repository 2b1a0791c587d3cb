// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Grids as immutable values: nodes, ports, neighbours, distances, names. No SystemC, no state.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/support/reciprocal.hpp>

namespace starloom {

/// Kinds of grids.
enum class GridKind { mesh, torus };

/// A mesh or torus of any dimension (docs/model.md, "Nodes, ports and names").
///
/// Axes. `shape` is kept as given. A two-dimensional mesh is [rows, columns]: node = row*columns + column, row 0 on
/// top, ports N, E, S, W = 0..3. Every other grid is [n_1, n_2, ...]: node = a_1 + n_1*a_2 + ..., port of +i =
/// 2(i-1), of -i = 2(i-1)+1. An *axis* is an index into `shape`; dimension order visits axes in the order
/// `route_axes()`: the row first on the mesh (axis 1, then axis 0), dimension 1 first elsewhere.
///
/// In-port q of a node faces the same neighbour as its out-port q: a flit that leaves node v through port q arrives
/// at in-port reverse(q) of neighbour(v, q).
class Grid {
 public:
  static constexpr std::size_t most_dimensions = 16;

  /// \throws std::invalid_argument if a side is < 1, there is no side, more than 16 dimensions, or more than 2^30
  /// nodes.
  static Grid mesh(std::vector<std::int64_t> shape);
  static Grid torus(std::vector<std::int64_t> shape);

  GridKind kind() const { return kind_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  /// A two-dimensional mesh: nodes have a row and a column.
  bool has_rows_and_columns() const { return rows_and_columns_; }
  bool is_square_mesh() const { return rows_and_columns_ && shape_[0] == shape_[1]; }
  int dimensions() const { return static_cast<int>(shape_.size()); }
  std::int32_t side(int axis) const { return static_cast<std::int32_t>(shape_[axis]); }
  NodeId nodes() const { return nodes_; }
  /// Ports of a node that belong to the grid: 2 per dimension. Border nodes of a mesh lack some of them.
  int ports() const { return 2 * dimensions(); }
  /// Number of directed links.
  std::int64_t links() const;

  /// The node behind out-port `port`, or `no_node` (border of a mesh, torus side 1).
  NodeId neighbour(NodeId node, Port port) const;
  Port reverse(Port port) const { return rows_and_columns_ ? port ^ 2 : port ^ 1; }
  int axis_of(Port port) const { return rows_and_columns_ ? port & 1 : port >> 1; }
  /// +1 if the port leads towards greater coordinates, else -1.
  int sign_of(Port port) const;
  /// The port that leads along `axis` in direction `sign` (+1 or -1).
  Port port_along(int axis, int sign) const {
    const Port towards_greater = rows_and_columns_ ? (axis == 0 ? 2 : 1) : 2 * axis;
    return sign > 0 ? towards_greater : reverse(towards_greater);
  }
  /// Axes in the order in which dimension-order routing serves them.
  const std::vector<int>& route_axes() const { return route_axes_; }

  std::int32_t coordinate(NodeId node, int axis) const {
    const Axis& a = axes_[static_cast<std::size_t>(axis)];
    return static_cast<std::int32_t>(a.by_side.remainder(a.by_stride.quotient(static_cast<std::uint32_t>(node))));
  }
  /// The node on the line of `from` along `axis` that has the coordinate of `to` on this axis.
  NodeId projected(NodeId from, NodeId to, int axis) const {
    return from + (coordinate(to, axis) - coordinate(from, axis)) * axes_[static_cast<std::size_t>(axis)].stride;
  }
  NodeId node_at(const std::vector<std::int32_t>& coordinates) const;
  /// Signed length of a shortest path from `from` to `to` along an axis; on a torus the distance side/2 counts as
  /// positive.
  std::int32_t offset(NodeId from, NodeId to, int axis) const {
    std::int32_t d = coordinate(to, axis) - coordinate(from, axis);
    if (kind_ == GridKind::torus) {
      const std::int32_t n = axes_[static_cast<std::size_t>(axis)].side;
      if (2 * d > n) d -= n;
      else if (2 * d <= -n) d += n;
    }
    return d;
  }
  std::int32_t distance(NodeId from, NodeId to) const;
  /// Greatest distance between two nodes.
  std::int32_t diameter() const;
  /// The out-port that dimension order takes, or `no_port` at the destination.
  Port dimension_order_port(NodeId at, NodeId destination) const {
    // Axes in the order of `route_axes()`, which is descending on the mesh of rows and columns.
    const int count = dimensions();
    for (int i = 0; i < count; ++i) {
      const int axis = rows_and_columns_ ? count - 1 - i : i;
      const std::int32_t d = offset(at, destination, axis);
      if (d != 0) return port_along(axis, d);
    }
    return no_port;
  }

  /// `node_r03_c07` on a two-dimensional mesh, `node_a03_07` elsewhere; index width = digits of the largest, at least
  /// 2.
  std::string node_name(NodeId node) const;
  /// `north`, `east`, `south`, `west`; `plus1`, `minus1`, ...
  std::string port_name(Port port) const;
  /// `link_r03_c07_east`, `link_a03_07_plus1`: the link that leaves the node through the port.
  std::string link_name(NodeId node, Port port) const;
  /// "mesh" or "torus".
  std::string kind_name() const;

 private:
  Grid(GridKind kind, std::vector<std::int64_t> shape);
  std::string coordinates_text(NodeId node) const;

  /// One axis, with reciprocals instead of divisions: a table of coordinates would cost a cache miss per packet and
  /// hop.
  struct Axis {
    std::int32_t side = 1;
    std::int32_t stride = 1;  ///< in the node number
    Reciprocal by_side;
    Reciprocal by_stride;
  };

  GridKind kind_;
  std::vector<std::int64_t> shape_;
  bool rows_and_columns_;  ///< two-dimensional mesh: its own numbering
  NodeId nodes_ = 0;
  std::vector<int> route_axes_;
  std::vector<Axis> axes_;
};

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The positions of the nodes of a grid on paper.
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// A position on paper, or a vector, in whole cells or pixels; x to the right, y down.
struct PaperPoint {
  int x = 0;
  int y = 0;
};

/// The axes of a grid run across and down in turn, in the order in which dimension order visits them: a mesh of rows
/// and columns looks as its coordinates say, the third axis puts planes side by side, the fourth one below the other.
class GridLayout {
 public:
  /// \param gap free cells between planes.
  /// \param most_nodes with more nodes than this, long sides are shortened: their middle is omitted.
  GridLayout(const Grid& topology, int gap, std::int64_t most_nodes = std::int64_t{1} << 30);

  /// Cells across and down.
  PaperPoint size() const { return size_; }
  /// Empty for a node that is omitted.
  std::optional<PaperPoint> cell(NodeId node) const;
  bool shortened() const { return shortened_; }
  /// The direction in which a port points, as one step to the right or the left, up or down.
  PaperPoint direction(Port port) const;
  /// True if the nodes behind the ports of an axis are neighbours in the same plane.
  bool in_plane(Port port) const { return sides_[static_cast<std::size_t>(topology_.axis_of(port))].stride == 1; }

 private:
  struct Side {
    bool across = true;
    std::int32_t length = 1;
    std::int32_t first = 1;  ///< coordinates drawn from the low end on
    std::int32_t last = 0;   ///< and those up to the high end; 0: only the first are drawn
    int stride = 1;          ///< cells from one coordinate to the next
    int cells() const { return first + (last > 0 ? 1 + last : 0); }  ///< one cell represents the middle
  };
  void shorten(std::int64_t most_nodes);

  const Grid& topology_;
  std::vector<Side> sides_;  ///< by axis
  PaperPoint size_;
  bool shortened_ = false;
};

/// The meaning of the two numbers of the shape, as in `4 rows, 8 columns`; empty for other dimensions.
std::string rows_text(const Grid& topology);

}  // namespace starloom::links

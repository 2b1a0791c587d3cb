// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The drawing of links.
#include <optional>
#include <string>

#include <starloom/layout/links/grid_layout.hpp>

namespace starloom::links {

/// Draws links as harpoons on the right-hand side of their centre line, so that the two directions do not overlap.
class LinkPen {
 public:
  /// \param pitch pixels from cell to cell. \param border pixels from the centre of a node to its edge.
  /// \param beside pixels from the centre line.
  LinkPen(int pitch, int border, int beside) : pitch_(pitch), border_(border), beside_(beside) {}

  /// The path of a link that leaves a node at 0,0 in the direction `direction` (GridLayout::direction) and ends at
  /// the node at `to`, in pixels. A neighbour in the same plane is reached in a straight line; if it is not in that
  /// direction (a torus), the link leaves at one edge of the plane and returns at the opposite one; a node of another
  /// plane is reached in a bow.
  std::string path(PaperPoint direction, PaperPoint to, bool in_plane) const;
  /// A link to a node that is not drawn.
  std::string loose_end(PaperPoint direction) const;

 private:
  std::string line(PaperPoint direction, PaperPoint from, int length, bool head) const;

  int pitch_;
  int border_;
  int beside_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How a network of any shape stands on paper: where its graph puts the nodes.
#include <string>
#include <vector>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Nodes at the places of the graph. A link runs straight on the right-hand side of its way, so that the two directions
/// do not cover each other; where that would cross other nodes, it goes round them in a bow.
class PlacedLayout {
 public:
  /// \param pitch pixels from cell to cell. \param border pixels from the centre of a node to its edge.
  /// \param beside pixels from the middle of the way.
  PlacedLayout(const NetworkGraph& graph, int pitch, int border, int beside);

  /// Pixels across and down.
  PaperPoint size() const { return size_; }
  /// Pixels from the left and the top to the centre of a node.
  PaperPoint centre(NodeId node) const { return centres_[static_cast<std::size_t>(node)]; }
  /// A square for a processor, a disc for a switch; around 0,0.
  std::string outline(NodeId node, int radius) const;
  /// The way of a link from the centre of its node, which is at 0,0, with a barb at its end.
  std::string path(NodeId node, Port out_port) const;
  /// Where something belongs that stands `deep` pixels inside a node's edge, beside the end of a link that leaves it,
  /// or enters it; from the centre of the node.
  PaperPoint beside_link(NodeId node, NodeId other, bool leaves, int deep) const;
  /// A third node stands on the straight way, so that a link goes round in a bow.
  bool is_blocked(NodeId from, NodeId to) const;

 private:
  struct Vector {
    double x = 0;
    double y = 0;
  };
  Vector direction(NodeId from, NodeId to) const;

  const NetworkGraph graph_;
  int pitch_;
  int border_;
  int beside_;
  std::vector<PaperPoint> centres_;  ///< [node]
  PaperPoint size_;
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The layout of a network of any shape: nodes at the positions of its graph.
#include <string>
#include <vector>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Nodes at the positions of the graph. A link is a straight line shifted to the right, so that the two directions do
/// not overlap; if it would cross other nodes, it is a bow around them. Parallel links are side by side.
class PlacedLayout {
 public:
  /// \param pitch pixels from cell to cell. \param border pixels from the centre of a node to its edge.
  /// \param beside pixels from the line between the centres.
  PlacedLayout(const NetworkGraph& graph, int pitch, int border, int beside);

  /// Pixels across and down.
  PaperPoint size() const { return size_; }
  /// Pixels from the left and the top to the centre of a node.
  PaperPoint centre(NodeId node) const { return centres_[static_cast<std::size_t>(node)]; }
  /// A square for a processor, a disc for a switch; around 0,0.
  std::string outline(NodeId node, int radius) const;
  /// The path of a link from the centre of its node, which is at 0,0, with a barb at its end.
  std::string path(NodeId node, Port out_port) const;
  /// A position `deep` pixels inside a node's edge, beside the end of the link that leaves it through an out-port or
  /// enters it through an in-port; from the centre of the node.
  PaperPoint beside_link(NodeId node, Port port, bool leaves, int deep) const;
  /// True if a third node is on the straight line, so that a link is a bow around it.
  bool is_blocked(NodeId from, NodeId to) const;

 private:
  struct Vector {
    double x = 0;
    double y = 0;
  };
  /// A link among those from its node to the same node, in the order of the out-ports.
  struct Parallel {
    int number = 0;  ///< from 0
    int count = 1;   ///< of the links
  };

  Vector direction(NodeId from, NodeId to) const;
  Parallel parallel(NodeId node, Port out_port) const;
  /// Pixels from the line between the centres.
  double shift(const Parallel& link) const { return beside_ * (2.0 * link.number + 1) / link.count; }

  const NetworkGraph graph_;
  int pitch_;
  int border_;
  int beside_;
  std::vector<PaperPoint> centres_;  ///< [node]
  PaperPoint size_;
};

}  // namespace starloom::links

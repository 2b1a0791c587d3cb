// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A value of every link, or of every router too, as colours of a network that is laid out on paper.
#include <string>
#include <vector>

#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// The values of a heat map, and their words. A port of a node is the link that leaves the node there; `no_port` is the
/// router of the node.
class HeatValues {
 public:
  struct Legend {
    std::string name;                 ///< before the levels; empty: none
    std::vector<std::string> ranges;  ///< [level] empty: not shown
  };

  virtual ~HeatValues() = default;
  /// The line below the title.
  virtual std::string summary() const = 0;
  /// At least one; each has a line.
  virtual std::vector<Legend> legends() const = 0;
  /// The word for the greatest value, such as `busiest`.
  virtual const char* greatest() const = 0;
  /// True if the router of the node has a value.
  virtual bool has_router(NodeId node) const = 0;
  /// To compare links, or routers, with each other.
  virtual double value(NodeId node, Port port) const = 0;
  /// 0 to `heat_levels`.
  virtual int level(NodeId node, Port port) const = 0;
  /// The name of a link or node, with its value if it has one; shown when the mouse is over it.
  virtual std::string text(NodeId node, Port port) const = 0;
};

/// Small grids of one or two dimensions have a harpoon for each link; all others a map for each port, whose tiles have
/// the value of the link that leaves the node through the port, and one for the routers if these have values. In large
/// networks a tile represents a block of nodes and shows their greatest value, so that the picture has at most about a
/// megabyte. Networks of other shapes have a harpoon for each link between the positions of their nodes; large ones a
/// tile for each node: its router if it has a value, or else the link with the greatest value that leaves it.
/// \param captions the words are inside nodes if links are harpoons. The links of a cycle have a broad line below
/// them, or a frame around their tiles, and the legend explains it.
std::string heat_map(const LinkNetwork& network, const HeatValues& values, const std::string& title,
                     const Captions& captions);

}  // namespace starloom::links

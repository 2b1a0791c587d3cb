// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The texts at the nodes and links of a picture besides their own names, and the links to be marked.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/pictures/svg.hpp>

namespace starloom::links {

/// An empty list, or an empty text of a list, means no text.
struct Captions {
  std::vector<std::string> node;  ///< [node] words inside it
  std::vector<std::string> link;  ///< [node * ports + out-port] shown after its name when the mouse is over it
  /// [node * ports + out-port] The links that the packets in the cycle of a deadlock wait for, with those packets.
  std::map<std::size_t, std::vector<PacketId>> cycle;
  std::vector<bool> dead_links;    ///< [node * ports + out-port]; empty: all are alive
  std::vector<bool> dead_routers;  ///< [node]; empty: all are alive

  bool is_dead(std::size_t link_index) const { return !dead_links.empty() && dead_links[link_index]; }
  bool is_dead_router(NodeId node_id) const {
    return !dead_routers.empty() && dead_routers[static_cast<std::size_t>(node_id)];
  }
  bool any_dead() const { return std::find(dead_links.begin(), dead_links.end(), true) != dead_links.end(); }

  /// The text after the name of a node or link.
  std::string behind(NodeId node_id) const;
  std::string behind_link(std::size_t index) const;
  /// Pixels from the centre of a node to its edge that the words need; 0 without words.
  int room() const;
  /// Writes the words of a node, one below the other, the first line at `top`, in the class `small`.
  void write(Svg& svg, NodeId node_id, PaperPoint top) const;
};

}  // namespace starloom::links

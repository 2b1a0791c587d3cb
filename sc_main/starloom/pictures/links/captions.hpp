// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What is written at the nodes and links of a picture besides their own names, and which links are marked.
#include <map>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/pictures/svg.hpp>

namespace starloom::links {

/// Nothing is written where a list is empty, or one of its texts.
struct Captions {
  std::vector<std::string> node;  ///< [node] words inside it
  std::vector<std::string> link;  ///< [node * ports + out-port] shown behind its name, when the reader points at it
  /// [node * ports + out-port] The links that the closed circle of packets of a deadlock waits for, and those packets.
  std::map<std::size_t, std::vector<PacketId>> cycle;

  /// Behind the name of a node or link.
  std::string behind(NodeId node_id) const;
  std::string behind_link(std::size_t index) const;
  /// Pixels from the centre of a node to its edge that the words need; 0: there are none.
  int room() const;
  /// Writes the words of a node, one below the other, the first line at `top`, in the class `small`.
  void write(Svg& svg, NodeId node_id, PaperPoint top) const;
};

}  // namespace starloom::links

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
  /// `dead` throughout the run, or for a time, such as `dead in steps 20 to 69`; those that are always alive have none.
  std::map<std::size_t, std::string> dead_links;  ///< by node * ports + out-port
  std::map<NodeId, std::string> dead_routers;

  bool is_dead(std::size_t link_index) const { return text_of(dead_links, link_index) == throughout; }
  bool is_dead_for_a_time(std::size_t link_index) const {
    return dead_links.count(link_index) > 0 && !is_dead(link_index);
  }
  /// `, dead in steps 20 to 69`; empty: it is always alive.
  std::string death_of(std::size_t link_index) const { return with_comma(text_of(dead_links, link_index)); }
  std::string death_of_router(NodeId node_id) const { return with_comma(text_of(dead_routers, node_id)); }
  bool any_dead() const {
    return std::any_of(dead_links.begin(), dead_links.end(), [](const auto& one) { return one.second == throughout; });
  }
  bool any_dead_for_a_time() const {
    return std::any_of(dead_links.begin(), dead_links.end(), [](const auto& one) { return one.second != throughout; });
  }

  /// The text after the name of a node or link.
  std::string behind(NodeId node_id) const;
  std::string behind_link(std::size_t index) const;
  /// Pixels from the centre of a node to its edge that the words need; 0 without words.
  int room() const;
  /// Writes the words of a node, one below the other, the first line at `top`, in the class `small`.
  void write(Svg& svg, NodeId node_id, PaperPoint top) const;

  static constexpr const char* throughout = "dead";

 private:
  template <class Key>
  static std::string text_of(const std::map<Key, std::string>& texts, Key key) {
    const auto found = texts.find(key);
    return found == texts.end() ? "" : found->second;
  }
  static std::string with_comma(const std::string& text) { return text.empty() ? "" : ", " + text; }
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Edges from link to link that leave no cycle.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace starloom::routing {

/// A link and one that follows it on a path (NetworkGraph::index of their out-ports).
using LinkEdge = std::pair<std::size_t, std::size_t>;

/// Keeps the links in an order in which each edge leads forward, and changes it only between the ends of an edge that
/// leads back (D. Pearce and P. Kelly, "A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs", ACM J.
/// Experimental Algorithmics 11, 2006).
class AcyclicEdges {
 public:
  /// Without edges. \param links number of links
  explicit AcyclicEdges(std::size_t links);

  bool contains(const LinkEdge& edge) const;
  /// Adds an edge between two links that is not there. False, and no change: it would close a cycle.
  bool add(const LinkEdge& edge);
  /// \param edge that is there.
  void remove(const LinkEdge& edge);

 private:
  using Lists = std::vector<std::vector<std::size_t>>;

  /// Lists `from` and all links that lead there or that it leads to, from the place of `first` on up to that of `last`.
  /// \param lists `next_` or `previous_`.
  std::vector<std::size_t> reached(std::size_t from, const Lists& lists, std::size_t first, std::size_t last);

  Lists next_, previous_;           ///< [link]
  std::vector<std::size_t> place_;  ///< [link] in the order
  std::vector<std::int64_t> seen_;  ///< [link] the last search that reached it
  std::int64_t search_ = 0;
};

}  // namespace starloom::routing

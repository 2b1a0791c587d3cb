// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/edge_colouring.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <starloom/core/random.hpp>

namespace starloom {
namespace {

/// An edge at its index; the index determines its left vertex.
struct EdgeEnd {
  std::int32_t right;
  std::int32_t edge;
};

/// A subgraph of degree D is a range of D * vertices edges in the order of the left vertices, D edges each. Colouring
/// a range leaves D ranges of degree 1 in it: the colours. No other data structure is needed.
class Colouring {
 public:
  Colouring(std::int32_t vertices, std::vector<EdgeEnd> ends)
      : vertices_(static_cast<std::size_t>(vertices)),
        ends_(std::move(ends)),
        spare_(ends_.size()),
        partner_(ends_.size()),
        waiting_(vertices_) {}

  /// Gabow and Kariv, "Algorithms for edge coloring bipartite graphs and multigraphs" (SIAM J. Comput. 11, 1982): one
  /// half of an Euler split is coloured first, then lends colours to the other half to make its degree a power of
  /// two, which then needs no matching. There is therefore one search for a matching per halving, not one per
  /// subgraph.
  void colour(std::size_t first, std::size_t degree) {
    if (degree <= 1) return;
    if (degree % 2 == 1) move_matching_behind(first, degree--);
    split(first, degree);
    const std::size_t half = degree / 2;
    colour(first, half);
    std::size_t power = 1;
    while (power < half) power *= 2;
    const std::size_t own = half - (power - half);
    join_matchings(first + own * vertices_, power - half, half);
    colour(first + own * vertices_, power);
  }

  const std::vector<EdgeEnd>& ends() const { return ends_; }

 private:
  /// Halves a range of even degree. Each edge has a partner at either end; following partners closes cycles of even
  /// length, and the edges of a cycle go to the halves alternately. The partner at the left end is the neighbour in
  /// the range.
  void split(std::size_t first, std::size_t degree) {
    const std::size_t count = degree * vertices_;
    EdgeEnd* const range = ends_.data() + first;
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::fill(waiting_.begin(), waiting_.end(), none);
    for (std::uint32_t at = 0; at < count; ++at) {
      std::uint32_t& other = waiting_[static_cast<std::size_t>(range[at].right)];
      if (other == none) {
        other = at;
      } else {
        partner_[at] = other;
        partner_[other] = at;
        other = none;
      }
    }
    EdgeEnd* const upper = spare_.data();
    EdgeEnd* const lower = upper + count / 2;
    for (std::uint32_t start = 0; start < count; start += 2) {
      for (std::uint32_t at = start; partner_[at] != none;) {
        const std::uint32_t mate = at ^ 1;
        upper[at / 2] = range[at];
        lower[at / 2] = range[mate];
        const std::uint32_t next = partner_[mate];
        partner_[at] = partner_[mate] = none;  // visited
        at = next;
      }
    }
    std::copy(upper, upper + count, range);
  }

  /// Moves a perfect matching of a range behind the rest of it. Goel, Kapralov and Khanna, "Perfect matchings in O(n
  /// log n) time in regular bipartite graphs" (STOC 2010): from each free left vertex a random walk along edges and
  /// back along matched ones; without its loops it is an augmenting path, and it is short.
  void move_matching_behind(std::size_t first, std::size_t degree) {
    EdgeEnd* const range = ends_.data() + first;
    constexpr std::int32_t free = -1;
    std::vector<std::int32_t> matched(vertices_, free);  // [left] index of its matched edge among its edges
    std::vector<std::int32_t> owner(vertices_, free);    // [right] left vertex
    std::vector<std::int32_t> taken(vertices_);          // [left] the edge by which the walk last left it
    RandomStream draws(0, Purpose::algorithm, 0, static_cast<Step>(degree));
    for (std::size_t start = 0; start < vertices_; ++start) {
      for (auto at = static_cast<std::int32_t>(start);;) {
        // One of the unmatched edges, all with the same probability.
        const auto left = static_cast<std::size_t>(at);
        const bool has_match = matched[left] != free;
        auto edge = static_cast<std::int32_t>(draws.bounded(static_cast<std::uint32_t>(degree) - (has_match ? 1 : 0)));
        if (has_match && edge >= matched[left]) ++edge;
        taken[left] = edge;
        at = owner[right_end(range, degree, left, edge)];
        if (at == free) break;
      }
      // The last edge out of each vertex gives the walk without its loops.
      for (auto at = static_cast<std::int32_t>(start); at != free;) {
        const auto left = static_cast<std::size_t>(at);
        matched[left] = taken[left];
        std::swap(at, owner[right_end(range, degree, left, taken[left])]);
      }
    }
    EdgeEnd* rest = spare_.data();
    EdgeEnd* const matching = rest + (degree - 1) * vertices_;
    for (std::size_t left = 0; left < vertices_; ++left)
      for (std::size_t edge = 0; edge < degree; ++edge) {
        const EdgeEnd& end = range[left * degree + edge];
        if (static_cast<std::int32_t>(edge) == matched[left]) matching[left] = end;
        else *rest++ = end;
      }
    std::copy(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(degree * vertices_), range);
  }

  static std::size_t right_end(const EdgeEnd* range, std::size_t degree, std::size_t left, std::int32_t edge) {
    return static_cast<std::size_t>(range[left * degree + static_cast<std::size_t>(edge)].right);
  }

  /// Makes one range from `matchings` ranges of degree 1 and the range of the given degree behind them.
  void join_matchings(std::size_t first, std::size_t matchings, std::size_t degree) {
    if (matchings == 0) return;
    const EdgeEnd* const lent = ends_.data() + first;
    const EdgeEnd* const rest = lent + matchings * vertices_;
    EdgeEnd* to = spare_.data();
    for (std::size_t left = 0; left < vertices_; ++left) {
      for (std::size_t m = 0; m < matchings; ++m) *to++ = lent[m * vertices_ + left];
      to = std::copy(rest + left * degree, rest + (left + 1) * degree, to);
    }
    std::copy(spare_.data(), to, ends_.data() + first);
  }

  std::size_t vertices_;
  std::vector<EdgeEnd> ends_;
  std::vector<EdgeEnd> spare_;
  std::vector<std::uint32_t> partner_;  ///< [index in the range] at the right end
  std::vector<std::uint32_t> waiting_;  ///< [right] index of an edge that has no partner yet
};

}  // namespace

std::vector<std::int32_t> edge_colouring(std::int32_t vertices, const std::vector<std::int32_t>& left,
                                         const std::vector<std::int32_t>& right) {
  if (vertices < 1) throw std::invalid_argument("a graph has at least one vertex on either side");
  if (left.size() != right.size()) throw std::invalid_argument("every edge has a left and a right vertex");
  const auto sides = static_cast<std::size_t>(vertices);
  const std::size_t degree = left.size() / sides;
  std::vector<std::size_t> next(sides, 0), of_right(sides, 0);
  for (const auto* ends : {&left, &right}) {
    std::vector<std::size_t>& count = ends == &left ? next : of_right;
    for (const std::int32_t vertex : *ends) {
      if (vertex < 0 || vertex >= vertices)
        throw std::invalid_argument("vertex " + std::to_string(vertex) + " is not below " + std::to_string(vertices));
      ++count[static_cast<std::size_t>(vertex)];
    }
    for (std::size_t vertex = 0; vertex < sides; ++vertex)
      if (count[vertex] != degree || degree * sides != left.size())
        throw std::invalid_argument("the graph is not regular: " + std::string(ends == &left ? "left" : "right") +
                                    " vertex " + std::to_string(vertex) + " has " + std::to_string(count[vertex]) +
                                    " of " + std::to_string(left.size()) + " edges");
  }
  for (std::size_t vertex = 0; vertex < sides; ++vertex) next[vertex] = vertex * degree;
  std::vector<EdgeEnd> ends(left.size());
  for (std::size_t edge = 0; edge < left.size(); ++edge)
    ends[next[static_cast<std::size_t>(left[edge])]++] = {right[edge], static_cast<std::int32_t>(edge)};
  Colouring colouring(vertices, std::move(ends));
  colouring.colour(0, degree);
  std::vector<std::int32_t> classes;
  classes.reserve(left.size());
  for (const EdgeEnd& end : colouring.ends()) classes.push_back(end.edge);
  return classes;
}

}  // namespace starloom

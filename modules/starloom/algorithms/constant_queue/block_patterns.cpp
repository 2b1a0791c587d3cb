// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/constant_queue/block_patterns.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include <starloom/algorithms/constant_queue/levels.hpp>
#include <starloom/algorithms/greedy/greedykill.hpp>
#include <starloom/core/random.hpp>
#include <starloom/support/error.hpp>

namespace starloom::patterns {
namespace {

/// A square mesh as 8 x 8 supersquares, and a destination for each node, initially none.
struct Plane {
  explicit Plane(const Processors& processors) : to(static_cast<std::size_t>(processors.count), no_node) {
    const Grid& grid = processors.coordinates("a pattern of supersquares");
    n = grid.side(0);
    m = n / 8;
    if (!grid.is_square_mesh() || n % 8 != 0)
      processors.refuse("patterns of supersquares need a square mesh whose side is a multiple of 8, not " +
                        processors.network + "; choose another shape, or transpose");
  }
  NodeId node(std::int32_t row, std::int32_t column) const { return row * n + column; }
  void send(std::int32_t row, std::int32_t column, std::int32_t to_row, std::int32_t to_column) {
    to[static_cast<std::size_t>(node(row, column))] = node(to_row, to_column);
  }
  /// Calls `visit` with (row, column) of all nodes of [R, C].
  template <class Visit>
  void in_block(std::int32_t R, std::int32_t C, const Visit& visit) const {
    for (std::int32_t row = R * m; row < (R + 1) * m; ++row)
      for (std::int32_t column = C * m; column < (C + 1) * m; ++column) visit(row, column);
  }

  std::int32_t n = 0;
  std::int32_t m = 0;
  Destinations to;
};

void send_corners(Plane& plane) {
  for (const std::int32_t R : {0, 7})
    for (const std::int32_t C : {0, 7})
      plane.in_block(R, C, [&](std::int32_t row, std::int32_t column) {
        plane.send(row, column, plane.n - 1 - row, plane.n - 1 - column);
      });
}

/// The outermost level of the router on this mesh, with subsquares of s x s nodes if s is not 0.
links::Level level_of(const Plane& plane, std::int32_t s) {
  links::Level level = links::constant_queue_levels(plane.n, 1, s).front();
  if (level.is_base())
    throw InputError("this pattern needs subsquares, but a mesh of side " + std::to_string(plane.n) +
                     " has none; choose a side of at least 24");
  return level;
}

/// A corner of a subsquare; after the sort, its first row reaches the attacked row.
struct Fragment {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// The subsquares that reach row 6m: those of row 7m in blocks of type Ia that move there, and those of the row
/// itself.
std::vector<Fragment> fragments_of_type_one(const Plane& plane, const links::Level& level) {
  const std::int32_t m = plane.m, s = level.s;
  std::vector<Fragment> fragments;
  for (std::int32_t column = 0; column < m; column += s) fragments.push_back({7 * m, column});
  for (std::int32_t column = 0; column < m; column += s) fragments.push_back({7 * m, 7 * m + column});
  for (std::int32_t column = 0; column + s <= level.near; column += s) fragments.push_back({7 * m, 3 * m + column});
  for (std::int32_t column = 0; column < plane.n; column += s) fragments.push_back({6 * m, column});
  return fragments;
}

/// From every fragment, `least` packets go to a column, and to the last columns additional lots of `lot`, as long as
/// the column has rows; the remaining ones go to the first column. They are placed row by row behind `skip` other
/// packets.
void collect(Plane& plane, const std::vector<Fragment>& fragments, std::int32_t s, std::int32_t least, std::int32_t lot,
             std::int32_t skip, std::int32_t column) {
  std::vector<std::int32_t> counts(fragments.size(), least);
  std::int32_t left = std::max(0, plane.n - least * static_cast<std::int32_t>(fragments.size()));
  const std::int32_t room = s * s - skip - least;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    const std::int32_t more = std::min(room / lot, left / lot) * lot;
    *count += more;
    left -= more;
  }
  for (std::int32_t& count : counts) {
    const std::int32_t more = std::min(left, s * s - skip - count);
    count += more;
    left -= more;
  }
  std::int32_t row = 0;
  for (std::size_t f = 0; f < fragments.size(); ++f)
    for (std::int32_t p = skip; p < skip + counts[f] && row < plane.n; ++p)
      plane.send(fragments[f].row + p / s, fragments[f].column + p % s, row++, column);
}

}  // namespace

Destinations corner(const Processors& processors) {
  Plane plane(processors);
  send_corners(plane);
  return plane.to;
}

Destinations corner_shift(const Processors& processors) {
  Plane plane(processors);
  const std::int32_t far = 7 * plane.m;
  for (const std::int32_t R : {0, 7})
    for (const std::int32_t C : {0, 7})
      plane.in_block(R, C, [&](std::int32_t row, std::int32_t column) {
        plane.send(row, column, R == 0 ? row + far : row - far, C == 0 ? column + far : column - far);
      });
  return plane.to;
}

Destinations corner_critical(const Processors& processors) {
  const Plane plane(processors);
  const auto in_corner = [](std::int32_t place, std::int32_t m) { return place / m == 0 || place / m == 7; };
  Destinations to = corner(processors);
  for (NodeId v = 0; v < plane.n * plane.n; ++v) {
    std::int32_t row = v / plane.n, column = v % plane.n;
    for (const links::Level& level : links::constant_queue_levels(plane.n, 1, 0)) {
      if (level.is_base()) break;
      if (!in_corner(row, level.m) || !in_corner(column, level.m)) to[static_cast<std::size_t>(v)] = no_node;
      row %= level.m;
      column %= level.m;
    }
  }
  return to;
}

Destinations cross(const Processors& processors) {
  Plane plane(processors);
  for (std::int32_t i = 0; i < plane.n; ++i)
    for (std::int32_t middle = 3 * plane.m; middle < 5 * plane.m; ++middle) {
      plane.send(i, middle, middle, i);
      plane.send(middle, i, i, middle);
    }
  return plane.to;
}

Destinations cross_corner(const Processors& processors) {
  Plane plane(processors);
  plane.to = cross(processors);
  send_corners(plane);
  return plane.to;
}

Destinations specials(const Processors& processors) {
  Plane plane(processors);
  for (const std::int32_t R : {0, 7})
    for (const std::int32_t C : {0, 7}) {
      const std::int32_t down = (7 - 2 * R) * plane.m, across = (C == 0 ? 3 : -3) * plane.m;
      plane.in_block(
          R, C, [&](std::int32_t row, std::int32_t column) { plane.send(row, column, row + down, column + across); });
    }
  return plane.to;
}

Destinations into_middle(const Processors& processors) {
  Plane plane(processors);
  for (std::int32_t row = 0; row < plane.n; ++row)
    for (std::int32_t column = 0; column < plane.n; column += 4)
      plane.send(row, column, plane.n - 1 - row, 3 * plane.m + column / 4);
  return plane.to;
}

Destinations queue_middle(const Processors& processors, std::int32_t s) {
  Plane plane(processors);
  const links::Level level = level_of(plane, s);
  collect(plane, fragments_of_type_one(plane, level), level.s, 1, level.s, 0, 3 * plane.m);
  return plane.to;
}

Destinations queue_outside(const Processors& processors, std::int32_t s) {
  Plane plane(processors);
  const links::Level level = level_of(plane, s);
  std::vector<Fragment> fragments;
  for (std::int32_t column = 0; column < plane.n; column += level.s) fragments.push_back({4 * plane.m, column});
  collect(plane, fragments, level.s, 1, level.s, 0, 2 * plane.m);
  return plane.to;
}

Destinations queue_snake(const Processors& processors, std::int32_t s) {
  Plane plane(processors);
  const links::Level level = level_of(plane, s);
  const std::vector<Fragment> fragments = fragments_of_type_one(plane, level);
  collect(plane, fragments, level.s, std::min(2, level.s), 2 * level.s, level.s - 1, 3 * plane.m);
  // Packets sorted before them: for the leftmost columns, in rows that make none of them critical.
  std::int32_t k = 0;
  for (const Fragment& fragment : fragments)
    for (std::int32_t p = 0; p < level.s - 1; ++p, ++k)
      plane.send(fragment.row, fragment.column + p, 2 * plane.m + k % (4 * plane.m), k / (4 * plane.m));
  return plane.to;
}

Destinations late_rows_alone(const Processors& processors, std::int32_t s) {
  Plane plane(processors);
  const links::Level level = level_of(plane, s);
  const std::int32_t m = plane.m;
  std::int32_t through = 0, ending = 0;
  for (std::int32_t i = 0; i < level.s; ++i) {
    for (std::int32_t column = 0; column < 5 * m; ++column, ++through)
      plane.send(6 * m + i, column, 2 * m + through / (3 * m), 5 * m + through % (3 * m));
    const auto end_in_the_middle = [&](std::int32_t first, std::int32_t columns) {
      for (std::int32_t column = first; column < first + columns; ++column, ++ending)
        plane.send(7 * m + i, column, ending % plane.n, 5 * m - 1 - ending / plane.n);
    };
    end_in_the_middle(0, m);
    end_in_the_middle(3 * m, level.near);
    end_in_the_middle(7 * m, m);
  }
  return plane.to;
}

Destinations late_rows(const Processors& processors, std::int32_t s) {
  Destinations to = late_rows_alone(processors, s);
  const Destinations others = corner(processors);
  for (std::size_t v = 0; v < others.size(); ++v)
    if (to[v] == no_node) to[v] = others[v];
  return to;
}

Destinations queue_crossed(const Processors& processors) {
  Plane plane(processors);
  level_of(plane, 0);
  const std::int32_t m = plane.m;
  for (std::int32_t column = 0; column < plane.n; ++column) plane.send(5 * m, column, column, 4 * m);
  for (std::int32_t i = 0; i < m; ++i) {
    if (i > 0) plane.send(7 * m, m + i, 4 * m, 4 * m + i);
    plane.send(7 * m, 6 * m + i, 4 * m, 3 * m + i);
  }
  return plane.to;
}

namespace {

/// Attacks a column whose packets start when they arrive. In the last row of subsquares the `w` nearest ones send 1 +
/// a multiple of s packets each to the column, from the positions that the sort gives them. Those of its first row,
/// one and one more for each multiple, meet in node (n - s, column) and have the shortest distance to go; those below
/// them, s - 1 for each multiple, go to rows 0, 1, ... and pass that node one per step while the others arrive: w is
/// the greatest number for which they last.
Destinations queue_behind_stream(const Grid& mesh, std::int32_t s, std::int32_t column) {
  const std::int32_t n = mesh.side(0), top = n - s;  // the row of the queue, and the number of rows above it
  const std::int32_t w = std::min(n / s, 2 * top * (s - 1) / (s * s + 2 * s - 2));
  const std::int32_t lots = std::min((top - w) / s, w * (s - 1));
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(n / s));
  std::iota(nearest.begin(), nearest.end(), 0);
  const auto away = [=](std::int32_t subsquare) { return std::abs(2 * subsquare * s + s - 1 - 2 * column); };
  std::stable_sort(nearest.begin(), nearest.end(), [&](std::int32_t a, std::int32_t b) { return away(a) < away(b); });
  Destinations to(static_cast<std::size_t>(mesh.nodes()), no_node);
  std::int32_t passing = 0, waiting = lots * (s - 1);  // the rows of their destinations
  for (std::int32_t i = 0; i < w; ++i) {
    const std::int32_t packets = 1 + s * (lots / w + (i < lots % w ? 1 : 0));
    for (std::int32_t p = 0; p < packets; ++p)
      to[static_cast<std::size_t>(mesh.node_at({top + p % s, nearest[static_cast<std::size_t>(i)] * s + p / s}))] =
          mesh.node_at({p % s == 0 ? waiting++ : passing++, column});
  }
  return to;
}

}  // namespace

Destinations queue_asap(const Processors& processors, std::int32_t s) {
  const Plane plane(processors);
  const links::Level level = level_of(plane, s);
  const std::int32_t column = 3 * plane.m - 1;
  if (level.s == 1) return greedykill(processors, column);
  return queue_behind_stream(processors.coordinates("queue-asap"), level.s, column);
}

Destinations queue_kunde(const Processors& processors, std::int32_t s) {
  const Grid& grid = processors.coordinates("queue-kunde");
  const std::int32_t n = grid.side(0);
  if (s == 0) s = n / 24;
  if (!grid.is_square_mesh() || s < 2 || n < 2 * s || n % s != 0)
    processors.refuse("queue-kunde needs a square mesh that is cut into subsquares of at least 2 x 2 nodes, not of " +
                      std::to_string(s) + " x " + std::to_string(s) + " nodes in " + processors.network +
                      "; choose another s, or greedykill");
  return queue_behind_stream(grid, s, n / 2);
}

// ---- Structured, with random parts

namespace {

/// A permutation under construction, with its inverse.
class Draft {
 public:
  explicit Draft(Destinations to) : to_(std::move(to)), from_(to_.size()) {
    for (std::size_t v = 0; v < to_.size(); ++v) from_[static_cast<std::size_t>(to_[v])] = static_cast<NodeId>(v);
  }
  /// Makes `to` the destination of `from`; the node that had it gets the former destination of `from`.
  void force(NodeId from, NodeId to) {
    const NodeId other = from_[static_cast<std::size_t>(to)], former = to_[static_cast<std::size_t>(from)];
    if (other == from) return;
    to_[static_cast<std::size_t>(from)] = to;
    from_[static_cast<std::size_t>(to)] = from;
    to_[static_cast<std::size_t>(other)] = former;
    from_[static_cast<std::size_t>(former)] = other;
  }
  void force(const Destinations& some) {
    for (std::size_t v = 0; v < some.size(); ++v)
      if (some[v] != no_node) force(static_cast<NodeId>(v), some[v]);
  }
  const Destinations& result() const { return to_; }

 private:
  Destinations to_;
  std::vector<NodeId> from_;  ///< [destination] its source
};

/// Supersquares are permuted, each turned in one of four ways; corners go to the opposite ones with probability 1/2.
Destinations shuffled_blocks(Plane& plane, RandomStream& random) {
  std::vector<std::int32_t> blocks(64);
  std::iota(blocks.begin(), blocks.end(), 0);
  for (std::uint32_t j = 63; j >= 1; --j) std::swap(blocks[j], blocks[random.bounded(j + 1)]);
  for (const std::int32_t corner : {0, 7, 56, 63})
    if (random.bounded(2) == 0) {
      const auto at = std::find(blocks.begin(), blocks.end(), 63 - corner);
      std::swap(blocks[static_cast<std::size_t>(corner)], *at);
    }
  const std::int32_t last = plane.m - 1;
  for (std::int32_t block = 0; block < 64; ++block) {
    const std::int32_t R = block / 8, C = block % 8;
    const std::int32_t row = blocks[static_cast<std::size_t>(block)] / 8 * plane.m;
    const std::int32_t column = blocks[static_cast<std::size_t>(block)] % 8 * plane.m;
    const std::uint32_t turn = random.bounded(4);
    plane.in_block(R, C, [&](std::int32_t r, std::int32_t c) {
      std::int32_t i = r - R * plane.m, j = c - C * plane.m;
      if (turn == 1) std::swap(i, j);
      if (turn >= 2) i = last - i;
      if (turn == 3) j = last - j;
      plane.send(r, c, row + i, column + j);
    });
  }
  return plane.to;
}

}  // namespace

Destinations structured(const Processors& processors, std::uint64_t seed) {
  Plane plane(processors);
  RandomStream random(seed, Purpose::permutation, 0, 0);
  Draft draft(shuffled_blocks(plane, random));
  const auto n = static_cast<std::uint32_t>(plane.n), m = static_cast<std::uint32_t>(plane.m);
  if (random.bounded(2) == 0) {
    // Packets of one or more rows go to one or more columns.
    const std::uint32_t lines = 1 + random.bounded(4), row = random.bounded(n);
    const std::uint32_t column = random.bounded(4) == 0 ? random.bounded(n) : 3 * m + random.bounded(2 * m);
    const std::uint32_t first = random.bounded(n);
    for (std::uint32_t line = 0; line < lines; ++line)
      for (std::uint32_t i = 0; i < n; ++i)
        draft.force(static_cast<NodeId>((row + line) % n * n + i),
                    static_cast<NodeId>((first + i) % n * n + (column + line) % n));
  }
  if (const std::uint32_t adversary = random.bounded(8); adversary < 4 && plane.n >= 24) {
    Destinations (*const adversaries[])(const Processors&, std::int32_t) = {queue_middle, queue_outside, queue_snake,
                                                                            late_rows};
    draft.force(adversaries[adversary](processors, 0));
  }
  Destinations to = draft.result();
  // A fraction of the packets is missing: none, a quarter, a half or three quarters.
  const std::uint32_t missing = random.bounded(6);
  for (NodeId& destination : to)
    if (missing < 4 && random.bounded(4) < missing) destination = no_node;
  return to;
}

}  // namespace starloom::patterns

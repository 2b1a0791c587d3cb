#include <starloom/traffic/permutations.hpp>

#include <cstdlib>
#include <functional>

#include <starloom/core/error.hpp>

namespace starloom::patterns {
namespace {

Destinations by_node(const Grid& grid, const std::function<NodeId(NodeId)>& rule) {
  Destinations destinations(static_cast<std::size_t>(grid.nodes()));
  for (NodeId node = 0; node < grid.nodes(); ++node) destinations[node] = rule(node);
  return destinations;
}

/// `rule(x, k)` is the new coordinate for coordinate x on an axis of side k.
Destinations by_coordinate(const Grid& grid, std::int32_t (*rule)(std::int32_t x, std::int32_t k)) {
  std::vector<std::int32_t> to(static_cast<std::size_t>(grid.dimensions()));
  return by_node(grid, [&](NodeId node) {
    for (int axis = 0; axis < grid.dimensions(); ++axis) to[axis] = rule(grid.coordinate(node, axis), grid.side(axis));
    return grid.node_at(to);
  });
}

/// Number of bits of a node number. \throws InputError if n is no power of two.
int node_bits(const Grid& grid, const std::string& pattern) {
  const NodeId n = grid.nodes();
  if ((n & (n - 1)) != 0)
    throw InputError(pattern + " acts on the bits of node numbers and needs a power of two of nodes, but " +
                     describe(grid) + " has " + std::to_string(n) + "; choose another shape, or reversal");
  int bits = 0;
  while ((NodeId{1} << bits) < n) ++bits;
  return bits;
}

bool is_square_mesh(const Grid& grid) {
  return grid.kind() == GridKind::mesh && grid.dimensions() == 2 && grid.side(0) == grid.side(1);
}

}  // namespace

std::string describe(const Grid& grid) {
  std::string text = "the " + grid.kind_name() + " [";
  for (std::size_t axis = 0; axis < grid.shape().size(); ++axis)
    text += (axis == 0 ? "" : ", ") + std::to_string(grid.shape()[axis]);
  return text + "]";
}

Destinations identity(const Grid& grid) {
  return by_node(grid, [](NodeId v) { return v; });
}

Destinations transpose(const Grid& grid) {
  const int d = grid.dimensions();
  bool square = d % 2 == 0;
  for (int axis = 0; square && axis < d / 2; ++axis) square = grid.side(axis) == grid.side(axis + d / 2);
  if (!square)
    throw InputError("transpose exchanges rows and columns and needs a square grid, not " + describe(grid) +
                     "; make both sides equal, or choose reversal");
  std::vector<std::int32_t> to(static_cast<std::size_t>(d));
  return by_node(grid, [&](NodeId node) {
    for (int axis = 0; axis < d; ++axis) to[axis] = grid.coordinate(node, (axis + d / 2) % d);
    return grid.node_at(to);
  });
}

Destinations reversal(const Grid& grid) {
  const NodeId last = grid.nodes() - 1;
  return by_node(grid, [=](NodeId v) { return last - v; });
}

Destinations bit_reversal(const Grid& grid) {
  const int bits = node_bits(grid, "bit-reversal");
  return by_node(grid, [=](NodeId v) {
    NodeId reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= (v >> bit & 1) << (bits - 1 - bit);
    return reversed;
  });
}

Destinations bit_complement(const Grid& grid) {
  node_bits(grid, "bit-complement");
  const NodeId mask = grid.nodes() - 1;
  return by_node(grid, [=](NodeId v) { return ~v & mask; });
}

Destinations shuffle(const Grid& grid) {
  const int bits = node_bits(grid, "shuffle");
  if (bits == 0) return identity(grid);
  const NodeId top = grid.nodes() / 2;  // the highest bit
  return by_node(grid, [=](NodeId v) { return v >= top ? 2 * (v - top) + 1 : 2 * v; });
}

Destinations tornado(const Grid& grid) {
  return by_coordinate(grid, [](std::int32_t x, std::int32_t k) { return (x + (k + 1) / 2 - 1) % k; });
}

Destinations neighbour(const Grid& grid) {
  return by_coordinate(grid, [](std::int32_t x, std::int32_t k) { return (x + 1) % k; });
}

Destinations quarter_turn(const Grid& grid) {
  if (!is_square_mesh(grid))
    throw InputError("quarter-turn rotates a square mesh of two dimensions, not " + describe(grid) +
                     "; make both sides equal, or choose reversal");
  return by_node(grid, [&](NodeId v) {
    return grid.node_at({grid.coordinate(v, 1), grid.side(0) - 1 - grid.coordinate(v, 0)});
  });
}

Destinations shift(const Grid& grid, std::int64_t offset) {
  const std::int64_t n = grid.nodes();
  const std::int64_t forward = (offset % n + n) % n;
  return by_node(grid, [=](NodeId v) { return static_cast<NodeId>((v + forward) % n); });
}

Destinations block(const Grid& grid) {
  for (int axis = 0; axis < grid.dimensions(); ++axis)
    if (grid.side(axis) % 2 != 0)
      throw InputError("block exchanges the halves of every side and needs even sides, not " + describe(grid) +
                       "; choose another shape, or tornado");
  return by_coordinate(grid, [](std::int32_t x, std::int32_t k) { return (x + k / 2) % k; });
}

Destinations hot_spot(const Grid& grid, const std::vector<std::int64_t>& targets) {
  if (targets.empty()) throw InputError("hot-spot needs at least one node in targets");
  for (const std::int64_t target : targets)
    if (target < 0 || target >= grid.nodes())
      throw InputError("hot-spot: target " + std::to_string(target) + " is not a node of " + describe(grid) +
                       ": nodes are 0 to " + std::to_string(grid.nodes() - 1));
  return by_node(grid,
                 [&](NodeId v) { return static_cast<NodeId>(targets[static_cast<std::size_t>(v) % targets.size()]); });
}

Destinations greedykill(const Grid& grid) {
  if (!is_square_mesh(grid) || grid.side(0) < 2)
    throw InputError("greedykill needs a square mesh of two dimensions and a side of at least 2, not " +
                     describe(grid) + "; make both sides equal, or choose hot-spot");
  const std::int32_t n = grid.side(0);
  const std::int32_t target_column = n / 2;
  Destinations destinations(static_cast<std::size_t>(grid.nodes()), no_node);
  std::int32_t target_row = n - 1;
  for (std::int32_t row = 0; row < 2; ++row)
    for (std::int32_t column = 0; column < n; ++column) {
      const std::int32_t away = std::abs(column - target_column);
      const bool sends = row == 0 ? 6 * away <= n : 3 * away < n;
      if (sends && target_row >= 0)
        destinations[grid.node_at({row, column})] = grid.node_at({target_row--, target_column});
    }
  return destinations;
}

}  // namespace starloom::patterns

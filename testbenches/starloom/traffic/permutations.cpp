// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/permutations.hpp>

#include <cstdlib>
#include <functional>

#include <starloom/schema/config_error.hpp>
#include <starloom/support/error.hpp>

namespace starloom::patterns {
namespace {

Destinations by_number(const Processors& processors, const std::function<NodeId(NodeId)>& rule) {
  Destinations destinations(static_cast<std::size_t>(processors.count));
  for (NodeId v = 0; v < processors.count; ++v) destinations[v] = rule(v);
  return destinations;
}

/// `rule(x, k)` is the new coordinate for coordinate x on an axis of side k.
Destinations by_coordinate(const Processors& processors, const std::string& pattern,
                           std::int32_t (*rule)(std::int32_t x, std::int32_t k)) {
  const Grid& grid = processors.coordinates(pattern);
  std::vector<std::int32_t> to(static_cast<std::size_t>(grid.dimensions()));
  return by_number(processors, [&](NodeId v) {
    for (int axis = 0; axis < grid.dimensions(); ++axis) to[axis] = rule(grid.coordinate(v, axis), grid.side(axis));
    return grid.node_at(to);
  });
}

/// Number of bits of a node number. \throws InputError if n is not a power of two.
int number_bits(const Processors& processors, const std::string& pattern) {
  const NodeId n = processors.count;
  if ((n & (n - 1)) != 0)
    processors.refuse(pattern + " acts on the bits of node numbers and needs 2^k nodes, but " + processors.network +
                      " has " + std::to_string(n) + "; choose another shape, or reversal");
  int bits = 0;
  while ((NodeId{1} << bits) < n) ++bits;
  return bits;
}

}  // namespace

Destinations identity(const Processors& processors) {
  return by_number(processors, [](NodeId v) { return v; });
}

Destinations transpose(const Processors& processors) {
  const Grid& grid = processors.coordinates("transpose");
  const int d = grid.dimensions();
  bool square = d % 2 == 0;
  for (int axis = 0; square && axis < d / 2; ++axis) square = grid.side(axis) == grid.side(axis + d / 2);
  if (!square && d != 2)
    processors.refuse(
        "transpose exchanges the first half of the coordinates with the second and needs two equal halves, not " +
        processors.network + "; choose another shape, or reversal");
  if (!square)
    processors.refuse("transpose exchanges rows and columns and needs a square grid, not " + processors.network +
                      "; make both sides equal, or choose reversal");
  std::vector<std::int32_t> to(static_cast<std::size_t>(d));
  return by_number(processors, [&](NodeId node) {
    for (int axis = 0; axis < d; ++axis) to[axis] = grid.coordinate(node, (axis + d / 2) % d);
    return grid.node_at(to);
  });
}

Destinations reversal(const Processors& processors) {
  const NodeId last = processors.count - 1;
  return by_number(processors, [=](NodeId v) { return last - v; });
}

Destinations bit_reversal(const Processors& processors) {
  const int bits = number_bits(processors, "bit-reversal");
  return by_number(processors, [=](NodeId v) {
    NodeId reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= (v >> bit & 1) << (bits - 1 - bit);
    return reversed;
  });
}

Destinations bit_complement(const Processors& processors) {
  number_bits(processors, "bit-complement");
  const NodeId mask = processors.count - 1;
  return by_number(processors, [=](NodeId v) { return ~v & mask; });
}

Destinations shuffle(const Processors& processors) {
  const int bits = number_bits(processors, "shuffle");
  if (bits == 0) return identity(processors);
  const NodeId top = processors.count / 2;  // the highest bit
  return by_number(processors, [=](NodeId v) { return v >= top ? 2 * (v - top) + 1 : 2 * v; });
}

Destinations tornado(const Processors& processors) {
  return by_coordinate(processors, "tornado", [](std::int32_t x, std::int32_t k) { return (x + (k + 1) / 2 - 1) % k; });
}

Destinations neighbour(const Processors& processors) {
  return by_coordinate(processors, "neighbour", [](std::int32_t x, std::int32_t k) { return (x + 1) % k; });
}

Destinations quarter_turn(const Processors& processors) {
  const Grid& grid = processors.coordinates("quarter-turn");
  if (!grid.is_square_mesh())
    processors.refuse("quarter-turn rotates a square mesh of two dimensions, not " + processors.network +
                      "; make both sides equal, or choose reversal");
  return by_number(processors, [&](NodeId v) {
    return grid.node_at({grid.coordinate(v, 1), grid.side(0) - 1 - grid.coordinate(v, 0)});
  });
}

Destinations antitranspose(const Processors& processors) {
  const Grid& grid = processors.coordinates("antitranspose");
  if (!grid.is_square_mesh())
    processors.refuse("antitranspose exchanges the rows and columns of a square mesh of two dimensions, not of " +
                      processors.network + "; make both sides equal, or choose reversal");
  const std::int32_t last = grid.side(0) - 1;
  return by_number(processors, [&](NodeId v) {
    return grid.node_at({last - grid.coordinate(v, 1), last - grid.coordinate(v, 0)});
  });
}

Destinations column_reversal(const Processors& processors) {
  const Grid& grid = processors.coordinates("column-reversal");
  std::vector<std::int32_t> to(static_cast<std::size_t>(grid.dimensions()));
  return by_number(processors, [&](NodeId v) {
    for (int axis = 0; axis < grid.dimensions(); ++axis) to[axis] = grid.coordinate(v, axis);
    to[0] = grid.side(0) - 1 - to[0];
    return grid.node_at(to);
  });
}

Destinations shift(const Processors& processors, std::int64_t offset) {
  const std::int64_t n = processors.count;
  const std::int64_t forward = (offset % n + n) % n;
  return by_number(processors, [=](NodeId v) { return static_cast<NodeId>((v + forward) % n); });
}

Destinations block(const Processors& processors) {
  const Grid& grid = processors.coordinates("block");
  for (int axis = 0; axis < grid.dimensions(); ++axis)
    if (grid.side(axis) % 2 != 0)
      processors.refuse("block exchanges the halves of every side and needs even sides, not " + processors.network +
                        "; choose another shape, or tornado");
  return by_coordinate(processors, "block", [](std::int32_t x, std::int32_t k) { return (x + k / 2) % k; });
}

Destinations hot_spot(const Processors& processors, const std::vector<std::int64_t>& targets) {
  if (targets.empty()) throw ConfigError("targets", "hot-spot needs at least one node in targets");
  for (const std::int64_t target : targets)
    if (target < 0 || target >= processors.count)
      throw ConfigError("targets", std::to_string(target) + " is not a node of " + processors.network +
                                       ": nodes are 0 to " + std::to_string(processors.count - 1) + processors.remark);
  return by_number(
      processors, [&](NodeId v) { return static_cast<NodeId>(targets[static_cast<std::size_t>(v) % targets.size()]); });
}

}  // namespace starloom::patterns

// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/random_patterns.hpp>

#include <algorithm>
#include <numeric>

#include <starloom/core/random.hpp>

namespace starloom::patterns {
namespace {

constexpr Step sweeps = 32;

/// A random node of the box around `centre`; `no_node` if it is outside the mesh.
NodeId draw_in_box(const Grid& grid, NodeId centre, std::int64_t distance, RandomStream& random,
                   std::vector<std::int32_t>& at) {
  bool inside = true;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const std::int32_t k = grid.side(axis);
    const auto m = static_cast<std::int32_t>(std::min<std::int64_t>(distance, k - 1));
    const bool wraps = grid.kind() == GridKind::torus;
    if (wraps && 2 * m + 1 >= k) {
      at[axis] = static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(k)));
      continue;
    }
    const auto drawn = static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(2 * m + 1)));
    at[axis] = grid.coordinate(centre, axis) + drawn - m;
    if (wraps) at[axis] = (at[axis] + k) % k;
    inside = inside && at[axis] >= 0 && at[axis] < k;
  }
  return inside ? grid.node_at(at) : no_node;
}

}  // namespace

Destinations random_permutation(const Processors& processors, std::uint64_t seed) {
  Destinations to(static_cast<std::size_t>(processors.count));
  std::iota(to.begin(), to.end(), 0);
  for (NodeId j = processors.count - 1; j >= 1; --j)
    std::swap(to[j], to[RandomStream(seed, Purpose::permutation, j, 0).bounded(static_cast<std::uint32_t>(j) + 1)]);
  return to;
}

Destinations half_permutation(const Processors& processors, std::uint64_t seed) {
  Destinations to = random_permutation(processors, seed);
  for (NodeId v = 0; v < processors.count; ++v)
    if (RandomStream(seed, Purpose::destination, v, 0).bounded(2) == 0) to[v] = no_node;
  return to;
}

Destinations random_function(const Processors& processors, std::uint64_t seed) {
  Destinations to(static_cast<std::size_t>(processors.count));
  const auto n = static_cast<std::uint32_t>(processors.count);
  for (NodeId v = 0; v < processors.count; ++v)
    to[v] = static_cast<NodeId>(RandomStream(seed, Purpose::destination, v, 0).bounded(n));
  return to;
}

Destinations bounded_permutation(const Processors& processors, std::uint64_t seed, std::int64_t distance) {
  const Grid& grid = processors.coordinates("bounded");
  Destinations to(static_cast<std::size_t>(grid.nodes()));
  std::iota(to.begin(), to.end(), 0);
  std::vector<NodeId> from = to;  // the inverse: the source of each node
  std::vector<std::int32_t> at(static_cast<std::size_t>(grid.dimensions()));
  for (Step sweep = 0; sweep < sweeps; ++sweep)
    for (NodeId v = 0; v < grid.nodes(); ++v) {
      RandomStream random(seed, Purpose::permutation, v, sweep);
      const NodeId u = draw_in_box(grid, v, distance, random, at);
      if (u == no_node || grid.distance(v, u) > distance) continue;
      const NodeId w = from[u];
      if (grid.distance(w, to[v]) > distance) continue;
      std::swap(to[v], to[w]);
      from[to[v]] = v;
      from[to[w]] = w;
    }
  return to;
}

}  // namespace starloom::patterns

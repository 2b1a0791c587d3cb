// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/counting_bounds.hpp>

#include <algorithm>
#include <cstdint>

#include <starloom/planning/links/schedules.hpp>

namespace starloom::links {
namespace {

Step rounded_up(std::int64_t dividend, std::int64_t divisor) { return (dividend + divisor - 1) / divisor; }

/// The greatest number of packets, over all cuts of an axis, that have to cross a cut in one direction.
std::int64_t most_over_a_cut(const Grid& grid, const std::vector<Packet>& packets, int axis) {
  const std::int32_t side = grid.side(axis);
  const std::int32_t beginnings = grid.kind() == GridKind::torus ? side : 1;
  std::int64_t most = 0;
  // [w]: by how many more packets leave, or enter, the slab of w coordinates than that of w - 1.
  std::vector<std::int64_t> leaving, entering;
  for (std::int32_t begin = 0; begin < beginnings; ++begin) {
    leaving.assign(static_cast<std::size_t>(side) + 1, 0);
    entering = leaving;
    for (const Packet& packet : packets) {
      const auto from = static_cast<std::size_t>((grid.coordinate(packet.source, axis) - begin + side) % side);
      const auto to = static_cast<std::size_t>((grid.coordinate(packet.destination, axis) - begin + side) % side);
      std::vector<std::int64_t>& crossing = from < to ? leaving : entering;
      ++crossing[std::min(from, to) + 1];
      --crossing[std::max(from, to) + 1];
    }
    std::int64_t out = 0, in = 0;
    for (std::int32_t width = 1; width < side; ++width) {
      out += leaving[static_cast<std::size_t>(width)];
      in += entering[static_cast<std::size_t>(width)];
      most = std::max({most, out, in});
    }
  }
  return most;
}

Step cut_bound(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits) {
  Step bound = 0;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const std::int64_t lines = grid.nodes() / grid.side(axis);
    const std::int64_t links = grid.kind() == GridKind::torus ? 2 * lines : lines;
    bound = std::max(bound, rounded_up(most_over_a_cut(grid, packets, axis) * flits, links));
  }
  return bound;
}

/// The bound from one end of the packets: their destinations, or their sources.
Step degree_bound(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits, NodeId Packet::*end) {
  struct PacketEnd {
    NodeId node;
    std::int32_t distance;
  };
  std::vector<PacketEnd> ends;
  for (const Packet& packet : packets)
    if (packet.source != packet.destination)
      ends.push_back({packet.*end, grid.distance(packet.source, packet.destination)});
  std::sort(ends.begin(), ends.end(),
            [](PacketEnd a, PacketEnd b) { return a.node != b.node ? a.node < b.node : a.distance > b.distance; });
  Step bound = 0;
  std::int64_t links = 0, count = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == 0 || ends[i].node != ends[i - 1].node) {
      count = links = 0;
      for (Port port = 0; port < grid.ports(); ++port)
        if (grid.neighbour(ends[i].node, port) != no_node) ++links;
    }
    ++count;  // packets with at least this distance
    bound = std::max(bound, ends[i].distance - 1 + rounded_up(count * flits, links));
  }
  return bound;
}

}  // namespace

Step CountingBounds::greatest() const { return std::max({distance, cut, degree}); }

CountingBounds counting_bounds(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits) {
  check_packets(grid, packets);
  CountingBounds bounds;
  const std::int32_t distance = greatest_distance(grid, packets);
  if (distance == 0) return bounds;
  bounds.distance = distance + flits - 1;
  bounds.cut = cut_bound(grid, packets, flits);
  bounds.degree = std::max(degree_bound(grid, packets, flits, &Packet::destination),
                           degree_bound(grid, packets, flits, &Packet::source));
  return bounds;
}

}  // namespace starloom::links

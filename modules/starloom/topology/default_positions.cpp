// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/default_positions.hpp>

#include <algorithm>
#include <cmath>

#include <starloom/topology/on_circle.hpp>

namespace starloom {
namespace {

constexpr std::size_t most_around = 8;  ///< cells that surround a cell

/// A node and its leaves.
struct Star {
  NodeId centre;
  std::vector<NodeId> leaves{};

  /// In cells: neighbours on the ring around the centre are a cell apart.
  double radius() const {
    return leaves.empty() ? 0 : std::max(1.0, circle_radius(static_cast<double>(leaves.size()), 1));
  }
};

/// [node] the only node that it has links to or from; no_node: there are several, or none.
std::vector<NodeId> only_neighbours(const NetworkTables& tables) {
  std::vector<NodeId> only(static_cast<std::size_t>(tables.nodes), no_node);
  for (NodeId node = 0; node < tables.nodes; ++node) {
    NodeId& neighbour = only[static_cast<std::size_t>(node)];
    bool several = false;
    const auto note = [&](const LinkEnd& end) {
      if (neighbour == no_node) neighbour = end.node;
      several = several || neighbour != end.node;
    };
    for (const Port port : tables.ports_in(tables.out_ports, node)) note(tables.out[tables.index(node, port)]);
    for (const Port port : tables.ports_in(tables.in_ports, node)) note(tables.in[tables.index(node, port)]);
    if (several || neighbour == node) neighbour = no_node;
  }
  return only;
}

/// The unplaced nodes that have several neighbours, in ascending order, each with its leaves.
std::vector<Star> stars_of(const std::vector<NodeId>& unplaced, const NetworkTables& tables) {
  const std::vector<NodeId> only = only_neighbours(tables);
  std::vector<std::int32_t> star_at(only.size(), -1);  // [node] the star of which it is the centre
  std::vector<Star> stars;
  for (const NodeId node : unplaced) {
    const NodeId neighbour = only[static_cast<std::size_t>(node)];
    // Two nodes with links to each other only are both centres.
    const bool leaf = neighbour != no_node && only[static_cast<std::size_t>(neighbour)] == no_node &&
                      std::binary_search(unplaced.begin(), unplaced.end(), neighbour);
    if (leaf) continue;
    star_at[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(stars.size());
    stars.push_back({node});
  }
  for (const NodeId node : unplaced)
    if (star_at[static_cast<std::size_t>(node)] < 0) {
      const NodeId centre = only[static_cast<std::size_t>(node)];
      stars[static_cast<std::size_t>(star_at[static_cast<std::size_t>(centre)])].leaves.push_back(node);
    }
  return stars;
}

/// The left end of the row below all nodes that have a position.
PaperPosition corner_below(const std::vector<NodeId>& unplaced, const NetworkTables& tables) {
  PaperPosition corner;
  bool first = true;
  auto next = unplaced.begin();
  for (NodeId node = 0; node < tables.nodes; ++node) {
    if (next != unplaced.end() && *next == node) {
      ++next;
      continue;
    }
    const PaperPosition& placed = tables.positions[static_cast<std::size_t>(node)];
    corner.x = first ? placed.x : std::min(corner.x, placed.x);
    corner.y = first ? placed.y + 1 : std::max(corner.y, placed.y + 1);
    first = false;
  }
  return corner;
}

}  // namespace

void position_nodes(const std::vector<NodeId>& unplaced, NetworkTables& tables) {
  if (unplaced.empty()) return;
  std::vector<Star> stars = stars_of(unplaced, tables);
  const bool rings =
      std::any_of(stars.begin(), stars.end(), [](const Star& star) { return star.leaves.size() > most_around; });
  if (!rings) {
    stars.clear();
    for (const NodeId node : unplaced) stars.push_back({node});
  }
  double radius = 0;
  for (const Star& star : stars) radius = std::max(radius, std::ceil(star.radius()));
  std::size_t side = 1;
  while (side * side < stars.size()) ++side;
  const PaperPosition corner = corner_below(unplaced, tables);
  const double pitch = 2 * radius + 1;
  for (std::size_t i = 0; i < stars.size(); ++i) {
    const PaperPosition centre{corner.x + radius + pitch * static_cast<double>(i % side),
                               corner.y + radius + pitch * static_cast<double>(i / side)};
    const Star& star = stars[i];
    tables.positions[static_cast<std::size_t>(star.centre)] = centre;
    for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf)
      tables.positions[static_cast<std::size_t>(star.leaves[leaf])] =
          on_circle(centre, star.radius(), static_cast<double>(leaf) / static_cast<double>(star.leaves.size()));
  }
}

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/replay_network.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/layout/links/placed_layout.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

/// The shape of a link on paper.
enum class LinkShape : std::uint8_t { straight, bow, right, left, down, up };

/// Links of a grid that do not lead to the next cell leave at an edge and return at the opposite one, or lead to
/// another plane.
LinkShape grid_shape(const GridLayout& layout, NodeId from, NodeId to, Port port) {
  const PaperPoint here = *layout.cell(from), there = *layout.cell(to), direction = layout.direction(port);
  if (!layout.in_plane(port)) return LinkShape::bow;
  if (there.x - here.x == direction.x && there.y - here.y == direction.y) return LinkShape::straight;
  if (direction.x != 0) return direction.x > 0 ? LinkShape::right : LinkShape::left;
  return direction.y > 0 ? LinkShape::down : LinkShape::up;
}

double rounded(double value) { return std::round(value * 1000) / 1000; }

}  // namespace

ReplayNetwork::ReplayNetwork(const LinkNetwork& network) : network_(network) {
  const NetworkGraph& graph = network.graph;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      names_.push_back(graph.link_name(node, port));
      numbers_[names_.back()] = names_.size();
    }
}

std::uint64_t ReplayNetwork::link_by_name(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? 0 : found->second;
}

void ReplayNetwork::describe(Json& facts) const {
  constexpr int cell = 100;  // arbitrary, because only shapes are needed
  const NetworkGraph& graph = network_.graph;
  std::optional<GridLayout> grid;
  std::optional<PlacedLayout> placed;
  if (const Grid* family = network_.as<Grid>()) grid.emplace(*family, 1);
  else placed.emplace(graph, cell, cell / 4, cell / 12);
  Json names = Json::array(), x = Json::array(), y = Json::array(), roles = Json::array(), links = Json::array();
  std::map<std::string, std::size_t> port_names;
  Json ports = Json::array();
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    names.push_back(graph.node_name(node));
    roles.push_back(graph.processor_of(node) >= 0 ? 1 : 0);
    x.push_back(grid ? grid->cell(node)->x : rounded(graph.position(node).x));
    y.push_back(grid ? grid->cell(node)->y : rounded(graph.position(node).y));
    for (const Port port : graph.out_ports(node)) {
      const auto [name, fresh] = port_names.emplace(graph.out_port_name(node, port), port_names.size());
      if (fresh) ports.push_back(name->first);
      const NodeId to = graph.far_end(node, port).node;
      const LinkShape shape = grid                           ? grid_shape(*grid, node, to, port)
                              : placed->is_blocked(node, to) ? LinkShape::bow
                                                             : LinkShape::straight;
      for (const std::int64_t value :
           {std::int64_t{node}, std::int64_t{port}, std::int64_t{to}, std::int64_t{graph.latency(node, port)},
            static_cast<std::int64_t>(shape), static_cast<std::int64_t>(name->second)})
        links.push_back(value);
    }
  }
  facts["stride"] = graph.ports();
  facts["nodes"] = names;
  facts["roles"] = roles;
  facts["x"] = x;
  facts["y"] = y;
  facts["ports"] = ports;
  facts["links"] = links;
}

}  // namespace starloom::links

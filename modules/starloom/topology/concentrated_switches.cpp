// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/concentrated_switches.hpp>

#include <algorithm>
#include <utility>

#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/on_circle.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

/// The name of a node in a grid, with another first word.
std::string renamed(const std::string& word, const std::string& grid_name) {
  return word + "_" + std::string(name_stem(grid_name));
}

/// The size of a network without links between switches.
NetworkSize size_without_links(const std::vector<std::int64_t>& shape, std::int64_t concentration) {
  double switches = 1;
  for (const std::int64_t side : shape) switches *= static_cast<double>(side);
  const auto c = static_cast<double>(concentration);
  return {switches * (c + 1), switches * 2 * c};
}

}  // namespace

Grid ConcentratedSwitches::checked(const Words& words, const std::vector<std::int64_t>& shape,
                                   std::int64_t concentration, double ports_to_switches) {
  constexpr std::size_t most_dimensions = 15;  // one more port is for a processor
  if (shape.empty() || shape.size() > most_dimensions)
    throw InputError(words.family + " has 1 to 15 dimensions, not " + std::to_string(shape.size()));
  for (const std::int64_t side : shape)
    if (side < 1) throw InputError(words.family + " has sides of at least 1, not " + std::to_string(side));
  if (ports_to_switches >= max_ports)
    throw InputError("a switch of " + words.sized + " would have " + decimal(ports_to_switches) +
                     " ports to other switches, more than " + std::to_string(max_ports - 1));
  const auto most = static_cast<std::int64_t>(max_ports - ports_to_switches);
  if (concentration < 1 || concentration > most)
    throw InputError(words.sized + " has 1 to " + std::to_string(most) + " processors at each switch, not " +
                     std::to_string(concentration) + ": a switch has at most " + std::to_string(max_ports) + " ports");
  const NetworkSize size = size_without_links(shape, concentration);
  const double ports = ports_to_switches + static_cast<double>(concentration);
  if (!NetworkGraph::has_room(size.nodes, ports))
    throw InputError(words.family + " has at most 2^31 - 1 ports; its switches and processors, with " +
                     std::to_string(static_cast<int>(ports)) + " ports each, cannot be " +
                     std::to_string(static_cast<std::int64_t>(std::min(size.nodes, 9e18))));
  return Grid::mesh(shape);
}

ConcentratedSwitches::ConcentratedSwitches(const Words& words, const std::vector<std::int64_t>& shape,
                                           std::int64_t concentration, double ports_to_switches)
    : mesh_(checked(words, shape, concentration, ports_to_switches)),
      concentration_(static_cast<std::int32_t>(concentration)),
      ports_to_switches_(static_cast<std::int32_t>(ports_to_switches)) {}

std::int32_t ConcentratedSwitches::with_terminals(NodeId from, NodeId to, std::int32_t between_switches) const {
  if (from == to) return 0;
  return (is_switch(from) ? 0 : 1) + (is_switch(to) ? 0 : 1) + between_switches;
}

NetworkSize concentrated_size(const std::vector<std::int64_t>& shape, std::int64_t concentration,
                              double links_between_switches) {
  NetworkSize size = size_without_links(shape, concentration);
  size.links += links_between_switches;
  return size;
}

NetworkGraphBuilder with_switches_and_processors(const ConcentratedSwitches& switches,
                                                 std::vector<std::string> port_names, std::int32_t link_latency) {
  const Grid& mesh = switches.mesh();
  const std::int32_t c = switches.concentration();
  NetworkGraphBuilder builder;
  builder.expect(switches.nodes(), switches.ports());
  for (std::int32_t j = 0; j < c; ++j) port_names.push_back("terminal" + index_text(j, c));
  const PortNaming one_port = builder.name_ports({"switch"});
  const PortNaming of_switches = builder.name_ports(port_names);

  // Processors are drawn on a quarter circle, to the right of their switch and below it, where a mesh has no link.
  const double radius = std::max(1.0, circle_radius(4 * c, 0.8)), pitch = radius + 0.9;
  const GridPositions positions(mesh);
  const auto switch_position = [&](NodeId number) {
    const PaperPosition position = positions.position(number);
    return PaperPosition{position.x * pitch, position.y * pitch};
  };
  for (NodeId node = 0; node < switches.processors(); ++node) {
    const std::int32_t j = node % c;
    const NodeId number = switches.number(node);
    builder.add_node(NodeRole::processor, renamed("proc", mesh.node_name(number)) + "_p" + padded(j, c),
                     on_circle(switch_position(number), radius, 0.25 + 0.25 * (j + 0.5) / c), one_port);
  }
  for (NodeId number = 0; number < mesh.nodes(); ++number)
    builder.add_node(NodeRole::switch_node, renamed("switch", mesh.node_name(number)), switch_position(number),
                     of_switches);

  for (NodeId node = 0; node < switches.processors(); ++node) {
    const LinkEnd own{node, 0}, at{switches.switch_at(switches.number(node)), switches.terminal_port(node)};
    builder.add_link(own, at, {link_latency});
    builder.add_link(at, own, {link_latency});
  }
  std::vector<std::int64_t> shape = mesh.shape();
  shape[static_cast<std::size_t>(mesh.route_axes().front())] *= c;
  builder.set_arrangement(Grid::mesh(shape));
  return builder;
}

}  // namespace starloom

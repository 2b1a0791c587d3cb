// SPDX-License-Identifier: Apache-2.0
#include "spidergon.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <starloom/topology/network_graph_builder.hpp>

namespace own {

using namespace starloom;

Spidergon::Spidergon(std::int64_t nodes) : nodes_(static_cast<NodeId>(nodes)) {
  if (nodes < 4 || nodes % 2 != 0)
    throw ConfigError("nodes", "a spidergon has an even number of nodes from 4 on, not " + std::to_string(nodes));
}

NodeId Spidergon::neighbour(NodeId node, Port port) const {
  const NodeId ahead[ports] = {1, half(), nodes_ - 1};
  return (node + ahead[port]) % nodes_;
}

std::int32_t Spidergon::offset(NodeId from, NodeId to) const {
  const std::int32_t ahead = (to - from + nodes_) % nodes_;
  return ahead <= half() ? ahead : ahead - nodes_;
}

std::int32_t Spidergon::distance(NodeId from, NodeId to) const {
  const std::int32_t along = std::abs(offset(from, to));
  return std::min(along, 1 + half() - along);
}

namespace {

LinkNetwork make_spidergon(const KeyValues& keys) {
  const Spidergon ring(keys.integer("nodes"));
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(ring.nodes() - 1).size());
  const double turn = 2 * std::acos(-1.0) / ring.nodes(), radius = 1 / turn;  // neighbours are one cell apart

  NetworkGraphBuilder builder;
  builder.expect(ring.nodes(), Spidergon::ports);
  const PortNaming ports = builder.name_ports({"clockwise", "across", "anticlockwise"});
  for (NodeId node = 0; node < ring.nodes(); ++node) {
    std::string number = std::to_string(node);
    number.insert(0, digits - number.size(), '0');  // names sort
    const PaperPosition position{radius * (1 + std::sin(node * turn)), radius * (1 - std::cos(node * turn))};
    builder.add_node(NodeRole::processor, "node_" + number, position, ports);
  }
  for (NodeId node = 0; node < ring.nodes(); ++node)
    for (Port port = 0; port < Spidergon::ports; ++port)
      builder.add_link({node, port}, {ring.neighbour(node, port), Spidergon::ports - 1 - port});
  builder.set_distance([ring](NodeId from, NodeId to) { return ring.distance(from, to); }, ring.diameter());
  return {"spidergon of " + std::to_string(ring.nodes()), builder.build(), ring, "spidergon"};
}

}  // namespace

TopologyEntry spidergon_entry() {
  TopologyEntry entry;
  entry.name = "spidergon";
  entry.meaning = "a ring of processors, each also joined to the one opposite";
  entry.keys = {integer_key("nodes", "processors of the ring, an even number")
                    .within(4, 1 << 20)
                    .measured_in("nodes")
                    .is_required()};
  entry.sized_by = "nodes";
  entry.size = [](const KeyValues& keys) {
    const Spidergon ring(keys.integer("nodes"));
    return NetworkSize{double(ring.nodes()), double(ring.nodes()) * Spidergon::ports};
  };
  entry.make = make_spidergon;
  return entry;
}

}  // namespace own

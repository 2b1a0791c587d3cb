// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/subnets.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_laws.hpp>

namespace starloom {

NetworkGraph NetworkGraph::copies(int subnets) const {
  const NetworkTables& one = *tables_;
  if (!has_room(static_cast<double>(one.nodes) * subnets, one.ports))
    throw InputError(std::to_string(subnets) + " subnets of " + std::to_string(one.nodes) + " nodes with " +
                     std::to_string(one.ports) + " ports each have more than 2^31 - 1 ports; choose fewer");
  auto tables = std::make_shared<NetworkTables>();
  NetworkTables& all = *tables;
  all.nodes = one.nodes * subnets;
  all.subnets = subnets;
  all.processors = one.processors;
  all.ports = one.ports;
  all.links = one.links * subnets;
  all.greatest_latency = one.greatest_latency;
  all.greatest_interval = one.greatest_interval;
  all.greatest_wire_cycles = one.greatest_wire_cycles;
  all.clocks = one.clocks;
  all.processor = one.processor;
  all.port_names = one.port_names;
  all.arrangement = one.arrangement;
  all.diameter = one.diameter;
  if (one.distance)
    all.distance = [distance = one.distance, nodes = one.nodes](NodeId from, NodeId to) {
      return from / nodes == to / nodes ? distance(from % nodes, to % nodes) : -1;
    };
  double width = 0;
  for (const PaperPosition& position : one.positions) width = std::max(width, position.x + 1);
  const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  for (int subnet = 0; subnet < subnets; ++subnet) {
    const NodeId first = subnet * one.nodes;
    const auto append_ends = [&](std::vector<LinkEnd>& list, const std::vector<LinkEnd>& ends) {
      for (const LinkEnd& end : ends) list.push_back({end.connected() ? first + end.node : no_node, end.port});
    };
    append_ends(all.out, one.out);
    append_ends(all.in, one.in);
    append(all.out_ports, one.out_ports);
    append(all.in_ports, one.in_ports);
    append(all.host, one.host);
    append(all.latency, one.latency);
    append(all.interval, one.interval);
    append(all.phits, one.phits);
    append(all.period, one.period);
    append(all.crossing, one.crossing);
    append(all.port_naming, one.port_naming);
    for (NodeId node = 0; node < one.nodes; ++node) {
      all.processor_of.push_back(processor_of(node));
      all.names += one.name(node);
      if (subnet > 0) all.names += "_s" + std::to_string(subnet);
      all.name_end.push_back(all.names.size());
      const PaperPosition position = one.positions[static_cast<std::size_t>(node)];
      all.positions.push_back({position.x + subnet * (width + 1), position.y});
    }
  }
  require_names(all);
  all.rows = std::make_shared<DistanceRows>(all);
  return NetworkGraph(std::move(tables));
}

LinkNetwork with_subnets(const LinkNetwork& network, int subnets) {
  if (subnets == 1) return network;
  return {network.title + ", " + std::to_string(subnets) + " subnets",
          network.graph.copies(subnets),
          {},
          network.topology,
          network.path_weight,
          {}};
}

std::vector<NodeId> nodes_in_files(const NetworkGraph& graph) {
  std::vector<NodeId> nodes;
  for (NodeId home = 0; home < graph.nodes_of_subnet(); ++home)
    for (int subnet = 0; subnet < graph.subnets(); ++subnet) nodes.push_back(graph.in_subnet(home, subnet));
  return nodes;
}

Packet in_own_subnet(const NetworkGraph& graph, Packet packet) {
  if (graph.subnets() == 1) return packet;
  packet.source = graph.in_subnet(packet.source, packet.subnet);
  packet.destination = graph.in_subnet(packet.destination, packet.subnet);
  return packet;
}

}  // namespace starloom

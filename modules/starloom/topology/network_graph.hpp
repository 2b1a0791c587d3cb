// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network of links as an immutable value: nodes, ports, links, names, positions, distances. No SystemC, no
/// state.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/port_set.hpp>
#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_size.hpp>
#include <starloom/topology/network_tables.hpp>

namespace starloom {

/// Processors create, consume and forward packets; a switch only forwards them. A host is a processor that forwards
/// none: no path between two other nodes goes through it.
enum class NodeRole : std::uint8_t { processor, switch_node, host };

/// The words of the roles, in the order of the enumeration.
inline constexpr std::string_view node_role_names[] = {"processor", "switch", "host"};
/// The role of a word; empty if it is not one of `node_role_names`.
std::optional<NodeRole> node_role(std::string_view word);

struct LinkNetwork;

/// Any nodes, joined by directed links. A link leads from an out-port of a node to an in-port of another one.
/// Out-ports and in-ports are numbered separately: out-port 2 and in-port 2 need not face the same node, and a link
/// need not have one that leads back. Port numbers may have gaps (borders of a mesh); `out_ports` and
/// `in_ports` are those with a link.
///
/// Made by NetworkGraphBuilder, which refuses to break these laws, so every graph satisfies all of them:
/// - it has a processor; every switch has a path from or to a processor;
/// - at most one link leaves an out-port, at most one enters an in-port; no link leads back to its own node; latency
///   and interval are at least a cycle of the sender, and at least the phits of a flit; a node has at most `max_ports`
///   in-ports and as many out-ports;
/// - names are identifiers (letters, digits and `_`, no digit first); no two nodes or links have the same one, nor that
///   of something else in the netlist and its waves (`fabric`, `clk`, `step`); nor have two in-ports or two out-ports
///   of a node.
///
/// Copies share their tables. All members may be called from several threads concurrently. Nodes outside 0 ..
/// nodes()-1 and ports outside 0 .. ports()-1 are not checked.
class NetworkGraph {
 public:
  /// The greatest nodes() * ports() for which a LinkId can number all links.
  static constexpr std::int64_t most_link_slots = (std::int64_t{1} << 31) - 1;
  /// True if a graph can number this number of nodes with this number of ports each.
  static bool has_room(double nodes, double ports) { return nodes * ports <= static_cast<double>(most_link_slots); }

  NodeId nodes() const { return tables_->nodes; }
  /// Copies of one network that share its processors (`with_subnets`). Each has the same number of nodes, those of
  /// subnet 0 first, in the same order.
  int subnets() const { return tables_->subnets; }
  NodeId nodes_of_subnet() const { return tables_->nodes / tables_->subnets; }
  int subnet_of(NodeId node) const { return node / nodes_of_subnet(); }
  /// The same node in subnet 0, and in any.
  NodeId home(NodeId node) const { return node % nodes_of_subnet(); }
  NodeId in_subnet(NodeId home, int subnet) const { return subnet * nodes_of_subnet() + home; }
  /// A port, which may be the local one or `no_port`, with the numbers that files have for it: those of its node in
  /// subnet 0, whose ports of subnet s begin at s * (ports() + 1).
  LinkEnd in_files(LinkEnd end) const {
    const Port first = subnet_of(end.node) * (ports() + 1);
    return {home(end.node), end.port == no_port ? no_port : first + end.port};
  }
  /// The reverse; numbers that no port has stay as they are. Without a port, `otherwise` is the subnet.
  LinkEnd from_files(LinkEnd end, int otherwise = 0) const {
    const int subnet = end.port == no_port ? otherwise : end.port / (ports() + 1);
    if (subnet >= subnets() || end.node >= nodes_of_subnet()) return end;
    return {in_subnet(end.node, subnet), end.port == no_port ? no_port : end.port % (ports() + 1)};
  }
  /// Processors, hosts among them, are numbered from 0 in the order of their nodes. In all families they are the first
  /// nodes, so that processor i is node i.
  NodeId processors() const { return tables_->processors; }
  /// The node of a processor.
  NodeId processor(NodeId number) const { return tables_->processor_at(number); }
  /// The number of the processor at this node, or -1 for a switch. With subnets, a processor has a node in each.
  NodeId processor_of(NodeId node) const {
    if (tables_->processor_of.empty()) return node < tables_->processors ? node : -1;
    return tables_->processor_of[static_cast<std::size_t>(node)];
  }
  NodeRole role(NodeId node) const {
    if (processor_of(node) < 0) return NodeRole::switch_node;
    return is_host(node) ? NodeRole::host : NodeRole::processor;
  }
  bool is_host(NodeId node) const { return tables_->is_host(node); }
  bool has_hosts() const { return !tables_->host.empty(); }
  /// True for a processor or host with exactly one out-link, to a switch, and exactly one in-link, from a switch. With
  /// virtual channels it has no router of its own: those links are local ports of the switches (docs/model.md,
  /// "Terminals").
  bool is_terminal(NodeId node) const;
  /// True if paths of other nodes may go through this one. Hosts never forward. \param through_terminals terminals
  /// forward, as with store-and-forward.
  bool forwards(NodeId node, bool through_terminals) const {
    return !is_host(node) && (through_terminals || !is_terminal(node));
  }

  /// The greatest number of ports of a node in one direction, those without a link included: the stride of tables of
  /// links.
  int ports() const { return tables_->ports; }
  /// The index of a port, an out-port or an in-port, in tables of links; also the LinkId of an out-port.
  std::size_t index(NodeId node, Port port) const { return tables_->index(node, port); }
  /// Entries of a table of links.
  std::size_t link_slots() const { return tables_->out.size(); }
  /// Number of directed links.
  std::int64_t links() const { return tables_->links; }

  /// The out-ports of a node that have a link.
  PortSet out_ports(NodeId node) const { return tables_->ports_in(tables_->out_ports, node); }
  /// The in-ports of a node that have a link.
  PortSet in_ports(NodeId node) const { return tables_->ports_in(tables_->in_ports, node); }
  /// The in-port that the link of an out-port leads to; not `connected()` if there is no link.
  LinkEnd far_end(NodeId node, Port out_port) const { return tables_->out[index(node, out_port)]; }
  /// The out-port that the link of an in-port comes from; not `connected()` if there is no link.
  LinkEnd near_end(NodeId node, Port in_port) const { return tables_->in[index(node, in_port)]; }
  /// Steps from entering the link of an out-port to being readable at its far end, at least 1.
  std::int32_t latency(NodeId node, Port out_port) const {
    return tables_->latency.empty() ? tables_->greatest_latency : tables_->latency[index(node, out_port)];
  }
  /// The link of an out-port takes at most one flit per this number of steps, at least 1.
  std::int32_t interval(NodeId node, Port out_port) const {
    return tables_->interval.empty() ? tables_->greatest_interval : tables_->interval[index(node, out_port)];
  }
  /// Phits of a flit on the link of an out-port, at least 1: a narrow link takes a phit per cycle. Latency and interval
  /// are those of whole flits.
  std::int32_t phits(NodeId node, Port out_port) const {
    return tables_->phits.empty() ? 1 : tables_->phits[index(node, out_port)];
  }
  /// Steps of a word on the side wires of the link of an out-port, which are as wide as the word: a credit.
  std::int32_t wire_latency(NodeId node, Port out_port) const {
    return latency(node, out_port) - (phits(node, out_port) - 1) * period(node);
  }
  LinkTiming timing(NodeId node, Port out_port) const {
    return {latency(node, out_port), interval(node, out_port), phits(node, out_port), period(node)};
  }
  /// Steps of a cycle of the clock of a node, which runs in the steps that are multiples of it.
  std::int32_t period(NodeId node) const {
    return tables_->period.empty() ? 1 : tables_->period[static_cast<std::size_t>(node)];
  }
  /// The clocks that have names.
  const std::vector<NetworkClock>& clocks() const { return tables_->clocks; }
  /// Between the clocks of the two nodes of the link of an out-port.
  ClockCrossing crossing(NodeId node, Port out_port) const;
  /// False if all nodes run in every step, and all flits are readable in the step in which they leave a link.
  bool has_clocks() const { return !tables_->period.empty() || !tables_->crossing.empty(); }
  /// The greatest latency of a link; 1 without links.
  std::int32_t greatest_latency() const { return tables_->greatest_latency; }
  std::int32_t greatest_interval() const { return tables_->greatest_interval; }
  /// The greatest latency of a side wire, in cycles of the sender; 1 without links.
  std::int32_t greatest_wire_cycles() const { return tables_->greatest_wire_cycles; }

  /// Links of a shortest path on which no host forwards, or -1 if there is none. Families have a formula. Without a
  /// formula, the row of `from` is searched and kept (distance_rows.hpp): callers that need many pairs of a large
  /// network go source by source.
  std::int32_t distance(NodeId from, NodeId to) const {
    return tables_->distance ? tables_->distance(from, to) : tables_->rows->distance(from, to);
  }
  /// The same with virtual channels: terminals have no router, so a packet from a terminal to itself crosses its link
  /// and comes back.
  std::int32_t distance_over_routers(NodeId from, NodeId to) const {
    return from == to && is_terminal(from) ? router_distance(from, from) + 2 : distance(from, to);
  }
  /// The same without the links of terminals: from the first router to the last.
  std::int32_t router_distance(NodeId from, NodeId to) const;
  /// The same distances from this node to every node, or from every node to it, by search.
  std::vector<std::int32_t> distances_from(NodeId node) const { return searched_distances_from(*tables_, {node}); }
  std::vector<std::int32_t> distances_to(NodeId node) const { return searched_distances_to(*tables_, {node}); }
  /// [node] The same distance from the nearest of `nodes`, by search.
  std::vector<std::int32_t> distances_from_nearest(const std::vector<NodeId>& nodes) const {
    return searched_distances_from(*tables_, nodes);
  }
  /// The greatest distance from one processor to another, of those that have a path. Without a formula, a search from
  /// every processor, once.
  std::int32_t diameter() const { return tables_->diameter >= 0 ? tables_->diameter : tables_->rows->diameter(); }

  /// The grid that the processors form, its node i being processor i; empty if they form none. It has the positions
  /// of processors, not the ports and links of the network.
  const std::optional<Grid>& arrangement() const { return tables_->arrangement; }

  std::string node_name(NodeId node) const { return std::string(tables_->name(node)); }
  /// The name of any port number below ports(), also of one that this node does not have (`port3`).
  std::string out_port_name(NodeId node, Port port) const { return tables_->out_port_name(node, port); }
  std::string in_port_name(NodeId node, Port port) const { return tables_->in_port_name(node, port); }
  /// `link_`, the name of the node without a leading `node_`, `_` and the name of the out-port: `link_r03_c07_east`.
  std::string link_name(NodeId node, Port out_port) const;
  PaperPosition position(NodeId node) const { return tables_->positions[static_cast<std::size_t>(node)]; }

  /// The same nodes and ports, with the same names and numbers, without these links; it need not keep the laws of
  /// paths. Terminals stay terminals, and no other node becomes one. \param links [index]
  NetworkGraph without_links(const std::vector<bool>& links) const;

  /// Checks what the builder was given, for tests of topologies: that formulas of distance and diameter agree with a
  /// search, and that all tables agree. All pairs of up to 1,024 nodes; in a larger network distances from and to 16
  /// nodes, none of which may exceed the diameter.
  /// \throws InputError at the first difference.
  void verify() const;

 private:
  friend class NetworkGraphBuilder;
  friend LinkNetwork with_subnets(const LinkNetwork& network, int subnets);
  NetworkGraph copies(int subnets) const;
  explicit NetworkGraph(std::shared_ptr<const NetworkTables> tables) : tables_(std::move(tables)) {}

  std::shared_ptr<const NetworkTables> tables_;
};

}  // namespace starloom

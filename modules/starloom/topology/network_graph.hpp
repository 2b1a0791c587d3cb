// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network of links as an immutable value: nodes, ports, links, names, places, distances. No SystemC, no state.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_size.hpp>
#include <starloom/topology/network_tables.hpp>

namespace starloom {

/// Processors create and consume packets; a switch only passes them on.
enum class NodeRole : std::uint8_t { processor, switch_node };

/// The words of the roles, in the order of the enumeration.
inline constexpr std::string_view node_role_names[] = {"processor", "switch"};

/// Any nodes, joined by directed links. A link leads from an out-port of a node to an in-port of another one. Out-ports
/// and in-ports are numbered apart: nothing is said of out-port 2 by what in-port 2 is, and a link need not have one
/// that leads back. Numbers may have gaps (borders of a mesh); the masks tell which ports have a link.
///
/// Made by NetworkGraphBuilder, which refuses what breaks a law, so every graph keeps all of them:
/// - it has a processor; from every processor a way leads to every other one; no switch is out of reach of all of them;
/// - at most one link leaves an out-port, at most one enters an in-port; no link leads back to its own node; latency
///   and interval are at least 1; a node has at most `max_ports` ports on a side;
/// - names are identifiers (letters, digits and `_`, no digit first); no two nodes or links have the same one, nor that
///   of something else in the netlist and its waves (`fabric`, `clk`, `step`), nor have two ports of a side of a node.
///
/// Copies share their tables. All members may be called from several threads at once. Nodes outside 0 .. nodes()-1 and
/// ports outside 0 .. ports()-1 are not checked.
class NetworkGraph {
 public:
  /// The most places for links, nodes() * ports(), that a LinkId can number.
  static constexpr std::int64_t most_link_slots = (std::int64_t{1} << 31) - 1;
  /// Whether so many nodes of so many ports can be numbered.
  static bool has_room(double nodes, double ports) { return nodes * ports <= static_cast<double>(most_link_slots); }

  NodeId nodes() const { return tables_->nodes; }
  /// Processors are numbered from 0 in the order of their nodes. In all families they are the first nodes, so that
  /// processor i is node i.
  NodeId processors() const { return tables_->processors; }
  /// The node of a processor.
  NodeId processor(NodeId number) const { return tables_->processor_at(number); }
  /// The number of the processor that a node is, or -1 for a switch.
  NodeId processor_of(NodeId node) const {
    if (tables_->processor_of.empty()) return node < tables_->processors ? node : -1;
    return tables_->processor_of[static_cast<std::size_t>(node)];
  }
  NodeRole role(NodeId node) const { return processor_of(node) < 0 ? NodeRole::switch_node : NodeRole::processor; }
  /// True for a processor whose only link out leads to a switch, and whose only link in comes from one. With virtual
  /// channels it has no router of its own: those links are local ports of the switches (docs/model.md, "Terminals").
  bool is_terminal(NodeId node) const;

  /// The most ports of a node on a side, those without a link included: the stride of tables of links.
  int ports() const { return tables_->ports; }
  /// Where a table of links has the entry of a port, an out-port or an in-port; also the LinkId of an out-port.
  std::size_t index(NodeId node, Port port) const { return tables_->index(node, port); }
  /// Entries of a table of links.
  std::size_t link_slots() const { return tables_->out.size(); }
  /// Number of directed links.
  std::int64_t links() const { return tables_->links; }

  /// The out-ports of a node that have a link.
  PortMask out_mask(NodeId node) const { return tables_->out_mask[static_cast<std::size_t>(node)]; }
  /// The in-ports of a node that have a link.
  PortMask in_mask(NodeId node) const { return tables_->in_mask[static_cast<std::size_t>(node)]; }
  /// The in-port to which the link of an out-port leads; not `connected()` where there is no link.
  LinkEnd far_end(NodeId node, Port out_port) const { return tables_->out[index(node, out_port)]; }
  /// The out-port from which the link of an in-port comes; not `connected()` where there is no link.
  LinkEnd near_end(NodeId node, Port in_port) const { return tables_->in[index(node, in_port)]; }
  /// Steps from entering the link of an out-port to being readable at its far end, at least 1.
  std::int32_t latency(NodeId node, Port out_port) const {
    return tables_->latency.empty() ? tables_->greatest_latency : tables_->latency[index(node, out_port)];
  }
  /// The link of an out-port takes at most one flit in so many steps, at least 1.
  std::int32_t interval(NodeId node, Port out_port) const {
    return tables_->interval.empty() ? tables_->greatest_interval : tables_->interval[index(node, out_port)];
  }
  /// Of all links; 1 where there is none.
  std::int32_t greatest_latency() const { return tables_->greatest_latency; }
  std::int32_t greatest_interval() const { return tables_->greatest_interval; }

  /// Links of a shortest way, or -1 if there is no path from the one node to the other (one of them is a switch, then).
  /// Families bring a formula. Without one, the row of `from` is searched and kept (distance_rows.hpp): who asks for
  /// many pairs of a large network asks source by source.
  std::int32_t distance(NodeId from, NodeId to) const {
    return tables_->distance ? tables_->distance(from, to) : tables_->rows->distance(from, to);
  }
  /// The same where there are virtual channels: terminals have no router, so what one sends to itself goes over its
  /// link and comes back.
  std::int32_t distance_over_routers(NodeId from, NodeId to) const {
    return from == to && is_terminal(from) ? router_distance(from, from) + 2 : distance(from, to);
  }
  /// That way without the links of terminals: from the first router to the last.
  std::int32_t router_distance(NodeId from, NodeId to) const;
  /// Links of a shortest way to every node, or from every node, by search; -1 where no way leads.
  std::vector<std::int32_t> distances_from(NodeId node) const { return searched_distances_from(*tables_, node); }
  std::vector<std::int32_t> distances_to(NodeId node) const { return searched_distances_to(*tables_, node); }
  /// The greatest distance from one processor to another. Without a formula, a search from every processor, once.
  std::int32_t diameter() const { return tables_->diameter >= 0 ? tables_->diameter : tables_->rows->diameter(); }

  /// The grid in which the processors stand, its node i being processor i; nothing if they stand in none. It says where
  /// processors are, not which ports and links they have.
  const std::optional<Grid>& arrangement() const { return tables_->arrangement; }

  std::string node_name(NodeId node) const { return std::string(tables_->name(node)); }
  /// Of any port number below ports(), also one that this node does not have (`port3`).
  std::string out_port_name(NodeId node, Port port) const { return tables_->out_port_name(node, port); }
  std::string in_port_name(NodeId node, Port port) const { return tables_->in_port_name(node, port); }
  /// `link_`, the name of the node without a leading `node_`, `_` and the name of the out-port: `link_r03_c07_east`.
  std::string link_name(NodeId node, Port out_port) const;
  PaperPosition position(NodeId node) const { return tables_->positions[static_cast<std::size_t>(node)]; }

  /// Checks what the builder believes, for tests of topologies: that formulas of distance and diameter say what a
  /// search finds, and that all tables say the same. All pairs of up to 1,024 nodes; of a larger network distances
  /// from and to 16 nodes, of which none may be above the diameter.
  /// \throws InputError at the first difference.
  void verify() const;

 private:
  friend class NetworkGraphBuilder;
  explicit NetworkGraph(std::shared_ptr<const NetworkTables> tables) : tables_(std::move(tables)) {}

  std::shared_ptr<const NetworkTables> tables_;
};

}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The builder of network graphs: nodes, then links between them.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Names of ports that several nodes share, numbered by NetworkGraphBuilder::name_ports.
struct PortNaming {
  std::uint32_t number = 0;
};

/// A ring of four processors with one-way links:
///
///     NetworkGraphBuilder ring;
///     for (const char* name : {"a", "b", "c", "d"}) ring.add_node(NodeRole::processor, name);
///     for (NodeId node = 0; node < 4; ++node) ring.add_link(node, (node + 1) % 4);
///     const NetworkGraph graph = ring.build();
///
/// Each fault is an InputError of one sentence that names node and port and suggests a remedy. A link or node that is
/// refused leaves the builder unchanged, so that a reader can go on and find further faults.
class NetworkGraphBuilder {
 public:
  /// Out-ports and in-ports `port0`, `port1`, ..., as many as the links use.
  static constexpr PortNaming numbered_ports{0};
  /// Instead of a number: the lowest port of its node that has no link.
  static constexpr Port lowest_free = -2;

  NetworkGraphBuilder();
  /// Begins with the nodes and links of a network without subnets, to change the timing of links and the clocks.
  explicit NetworkGraphBuilder(const NetworkGraph& network);

  /// Reserves memory for this number of nodes with this number of ports, and throws if a graph cannot number them.
  /// For large networks; without this call the tables grow as nodes are added.
  void expect(NodeId nodes, int ports);

  /// Names the out-ports and in-ports of nodes that are added later, from port 0 on. Such a node has exactly the
  /// ports that are named; they need not all have a link.
  PortNaming name_ports(std::vector<std::string> out, std::vector<std::string> in);
  /// The same names on both sides.
  PortNaming name_ports(const std::vector<std::string>& both) { return name_ports(both, both); }

  /// Adds a node and returns its number: 0, 1, 2, ... A node without a position is drawn below those that have one.
  NodeId add_node(NodeRole role, std::string_view name, std::optional<PaperPosition> position = std::nullopt,
                  PortNaming ports = numbered_ports);

  /// Adds a link from an out-port to an in-port; either may be `lowest_free`.
  void add_link(LinkEnd from, LinkEnd to, LinkTiming timing = {});
  void add_link(NodeId from, NodeId to, LinkTiming timing = {}) {
    add_link(LinkEnd{from, lowest_free}, LinkEnd{to, lowest_free}, timing);
  }

  /// Replaces the timing of the link of an out-port, which there is.
  void set_timing(LinkEnd from, LinkTiming timing);
  /// The clock of a node, whose links have timings with the same period.
  void set_period(NodeId node, std::int32_t period);
  void name_clocks(std::vector<NetworkClock> clocks) { tables_->clocks = std::move(clocks); }
  /// The crossing of the link of an out-port, which there is.
  void set_crossing(LinkEnd from, const CrossingKeys& crossing);

  /// Declares that the processors form a grid: its node i is processor i.
  void set_arrangement(Grid grid) { tables_->arrangement = std::move(grid); }
  /// Links of a shortest path between any two nodes (-1: no path), and the greatest one between processors. Without a
  /// formula, distances are searched. The builder does not check it; NetworkGraph::verify compares it with a search.
  void set_distance(DistanceFormula distance, std::int32_t diameter) {
    tables_->distance = std::move(distance);
    tables_->diameter = diameter;
  }

  /// Checks the laws that only a complete network can break, and returns the graph; the builder is empty afterwards.
  NetworkGraph build();

 private:
  enum class Side { out, in };

  bool exists(NodeId node) const { return node >= 0 && node < tables_->nodes; }
  /// `node 3 (node_r00_c03)`
  std::string located(NodeId node) const;
  /// `out-port 1 (east) of node 3 (node_r00_c03)`
  std::string located(Side side, LinkEnd end) const;
  /// The names of a node's ports; null if they are numbered only.
  const std::vector<std::string>* named_ports(Side side, NodeId node) const;
  int port_count(Side side, NodeId node) const;
  /// The other end of the link of a port, or an end that is not `connected()`.
  LinkEnd behind(Side side, LinkEnd end) const;
  /// The same end with the port number instead of `lowest_free`.
  LinkEnd with_port(Side side, LinkEnd end) const;
  /// no_port if all have a link.
  Port free_port(Side side, NodeId node) const;
  std::string free_port_advice(Side side, NodeId node) const;
  bool exists(Side side, LinkEnd end) const {
    return exists(end.node) && end.port >= 0 && end.port < port_count(side, end.node);
  }
  /// \param link the beginning of the sentence.
  [[noreturn]] void refuse_end(Side side, LinkEnd end, const std::string& link) const;
  /// Refuses the timing of the link of an out-port if it breaks a law.
  void require_timing(LinkEnd from, LinkTiming timing) const;
  void note_timing(std::size_t link, LinkTiming timing);
  /// Makes room in the tables for this number of ports per node, and this number of nodes.
  void widen(NodeId nodes, int ports);
  void set_stride(int stride);
  /// Makes room in the tables for the nodes added so far.
  void fill_tables();
  void number_processors();

  std::shared_ptr<NetworkTables> tables_;
  int needed_ports_ = 0;          ///< the stride of the tables of the network; the builder may have a greater one
  std::vector<NodeRole> roles_;   ///< [node]
  std::vector<NodeId> unplaced_;  ///< nodes without a position
};

}  // namespace starloom

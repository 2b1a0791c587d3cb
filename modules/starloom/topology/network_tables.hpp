// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tables behind a network graph. Users go through NetworkGraph.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/port_set.hpp>
#include <starloom/topology/clock_crossing.hpp>
#include <starloom/topology/distance_rows.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom {

/// One end of a link: a node and the number of one of its out-ports or in-ports, depending on the context.
struct LinkEnd {
  NodeId node = no_node;
  Port port = no_port;

  bool connected() const { return node != no_node; }
  bool operator==(const LinkEnd& other) const { return node == other.node && port == other.port; }
  bool operator!=(const LinkEnd& other) const { return !(*this == other); }
};

/// Steps of a link, all at least 1; the latency is at most `most_latency`.
struct LinkTiming {
  std::int32_t latency = 1;   ///< from entering to being readable at the far end
  std::int32_t interval = 1;  ///< at most one flit per this number of steps
  std::int32_t phits = 1;     ///< of a flit, one per `period`; `latency` and `interval` include them
  std::int32_t period = 1;    ///< of the clock of the sender

  static constexpr std::int32_t most_latency = 65535;

  /// A link of width 1/`phits`, which a phit crosses in `wire_latency` steps.
  static LinkTiming narrow(std::int32_t wire_latency, std::int32_t phits, std::int32_t interval = 1) {
    return {wire_latency + phits - 1, std::max(interval, phits), phits};
  }
  /// Steps of the phits behind the first.
  std::int32_t body() const { return (phits - 1) * period; }
};

/// The crossing of a link from one clock to another, as keys give it.
struct CrossingKeys {
  std::optional<std::int32_t> synchroniser{};  ///< empty: ClockCrossing::usual_synchroniser
  std::int32_t fifo = 0;                       ///< see ClockCrossing
};

/// A position on paper in cells, x to the right, y down.
struct PaperPosition {
  double x = 0;
  double y = 0;
};

/// The number of links of a shortest path from one node to another.
using DistanceFormula = std::function<std::int32_t(NodeId from, NodeId to)>;

/// Immutable once a graph has it. Tables of ports have the index node * ports + port.
struct NetworkTables {
  /// Names of the ports of nodes with the same port naming, by port number. Ports beyond these are `port0`, `port1`,
  /// ...
  struct PortNames {
    std::vector<std::string> out;
    std::vector<std::string> in;
  };

  NodeId nodes = 0;
  NodeId processors = 0;
  int ports = 0;    ///< stride
  int subnets = 1;  ///< copies of a network, one behind the other in all tables
  std::int64_t links = 0;
  std::vector<LinkEnd> out;            ///< [node, out-port]: the in-port that the link leads to
  std::vector<LinkEnd> in;             ///< [node, in-port]: the out-port that the link comes from
  std::vector<PortMask> out_ports;     ///< [node, word of PortSet] those with a link
  std::vector<PortMask> in_ports;      ///< [node, word of PortSet] those with a link
  std::vector<std::int32_t> latency;   ///< [node, out-port]; empty if it is the greatest one for all links
  std::vector<std::int32_t> interval;  ///< [node, out-port]; empty if it is the greatest one for all links
  std::vector<std::int32_t> phits;     ///< [node, out-port]; empty if it is 1 for all links
  std::vector<std::int32_t> period;    ///< [node] of its clock; empty if it is 1 for all nodes
  std::vector<NetworkClock> clocks;    ///< by their names; may be empty
  std::vector<CrossingKeys> crossing;  ///< [node, out-port]; empty if no link has any
  std::int32_t greatest_latency = 1;
  std::int32_t greatest_interval = 1;
  std::int32_t greatest_wire_cycles = 1;

  std::vector<NodeId> processor;     ///< [number]; empty if the processors are the first nodes
  std::vector<NodeId> processor_of;  ///< [node]; empty if the processors are the first nodes
  std::vector<bool> host;            ///< [node]; empty without hosts
  std::vector<bool> terminal;        ///< [node]; empty: those whose links say so (NetworkGraph::is_terminal)

  std::string names;                       ///< of all nodes, concatenated
  std::vector<std::size_t> name_end;       ///< [node] end of its name in `names`
  std::vector<PortNames> port_names;       ///< by port naming
  std::vector<std::uint32_t> port_naming;  ///< [node] its port naming
  std::vector<PaperPosition> positions;    ///< [node]

  std::optional<Grid> arrangement;
  DistanceFormula distance;            ///< empty: distances come from `rows`
  std::int32_t diameter = -1;          ///< -1: unknown, from `rows`
  std::shared_ptr<DistanceRows> rows;  ///< the only part that changes: a cache of searched rows

  std::size_t index(NodeId node, Port port) const {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(ports) + static_cast<std::size_t>(port);
  }
  /// The entry of `out_ports` or `in_ports` for a node.
  PortSet ports_in(const std::vector<PortMask>& table, NodeId node) const {
    const std::size_t words = PortSet::words_for(ports);
    return {&table[static_cast<std::size_t>(node) * words], words};
  }
  NodeId processor_at(NodeId number) const {
    return processor.empty() ? number : processor[static_cast<std::size_t>(number)];
  }
  bool is_host(NodeId node) const { return !host.empty() && host[static_cast<std::size_t>(node)]; }
  std::string_view name(NodeId node) const {
    const auto i = static_cast<std::size_t>(node);
    const std::size_t begin = i == 0 ? 0 : name_end[i - 1];
    return std::string_view(names).substr(begin, name_end[i] - begin);
  }
  const PortNames& names_of_ports(NodeId node) const { return port_names[port_naming[static_cast<std::size_t>(node)]]; }
  std::string out_port_name(NodeId node, Port port) const { return port_name(names_of_ports(node).out, port); }
  std::string in_port_name(NodeId node, Port port) const { return port_name(names_of_ports(node).in, port); }

 private:
  static std::string port_name(const std::vector<std::string>& port_list, Port port) {
    const auto i = static_cast<std::size_t>(port);
    return i < port_list.size() ? port_list[i] : "port" + std::to_string(port);
  }
};

/// A node's name without a leading `node_`: the first part of the names of its links.
std::string_view name_stem(std::string_view node_name);

}  // namespace starloom

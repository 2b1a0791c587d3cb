// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The bindings of a netlist, compiled into index tables.
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The link of each out-port and in-port, read from the bindings of the modules, never computed from coordinates. All
/// tables are indexed by node * ports + port.
struct Wiring {
  using End = LinkEnd;

  NodeId nodes = 0;
  int ports = 0;                       ///< stride of the tables
  std::vector<End> out;                ///< [node, out-port]: the (node, in-port) that the link leads to
  std::vector<End> in;                 ///< [node, in-port]: the (node, out-port) that the link comes from
  std::vector<std::int32_t> latency;   ///< [node, out-port], at least 1 where there is a link
  std::vector<std::int32_t> interval;  ///< [node, out-port], at least 1; empty if it is 1 for all
  std::vector<std::int32_t> body;      ///< [node, out-port] see LinkTiming; empty if it is 0 for all
  std::vector<bool> switches;          ///< [node]; empty if all nodes are processors

  Wiring() = default;
  Wiring(NodeId node_count, int port_count)
      : nodes(node_count),
        ports(port_count),
        out(static_cast<std::size_t>(node_count) * port_count),
        in(out.size()),
        latency(out.size(), 1) {}

  std::size_t index(NodeId node, Port port) const { return static_cast<std::size_t>(node) * ports + port; }
  bool is_switch(NodeId node) const { return !switches.empty() && switches[static_cast<std::size_t>(node)]; }
  /// Steps of a word on the side wires of a link.
  std::int32_t wire_latency(std::size_t link) const { return latency[link] - (body.empty() ? 0 : body[link]); }
  void connect(End from, End to, const LinkTiming& timing) {
    const std::size_t link = index(from.node, from.port);
    out[link] = to;
    in[index(to.node, to.port)] = from;
    latency[link] = timing.latency;
    const auto note = [&](std::vector<std::int32_t>& table, std::int32_t entry, std::int32_t usual) {
      if (entry == usual) return;
      table.resize(out.size(), usual);
      table[link] = entry;
    };
    note(interval, timing.interval, 1);
    note(body, timing.body(), 0);
  }
};

}  // namespace starloom::links

#pragma once
/// \file The bindings of a netlist, compiled into index tables.
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Which link leaves which out-port and where it arrives, as found in the bindings of the modules (never computed from
/// coordinates). All tables have the index node * ports + port.
struct Wiring {
  struct End {
    NodeId node = no_node;
    Port port = no_port;
    bool connected() const { return node != no_node; }
  };

  NodeId nodes = 0;
  int ports = 0;                      ///< stride of the tables
  std::vector<End> out;               ///< [node, out-port]: the (node, in-port) that the link leads to
  std::vector<End> in;                ///< [node, in-port]: the (node, out-port) that the link comes from
  std::vector<std::int32_t> latency;  ///< [node, out-port], at least 1 where there is a link

  Wiring() = default;
  Wiring(NodeId node_count, int port_count)
      : nodes(node_count),
        ports(port_count),
        out(static_cast<std::size_t>(node_count) * port_count),
        in(out.size()),
        latency(out.size(), 1) {}

  std::size_t index(NodeId node, Port port) const { return static_cast<std::size_t>(node) * ports + port; }
  void connect(End from, End to, std::int32_t steps) {
    out[index(from.node, from.port)] = to;
    in[index(to.node, to.port)] = from;
    latency[index(from.node, from.port)] = steps;
  }
};

}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Dragonflies.
#include <cstdint>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A dragonfly (Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", 2008): g groups of
/// a routers, links between all routers of a group, p processors at every router, and exactly one global link (each
/// way) between each pair of groups. Arithmetic, no tables.
///
/// Numbers. Processor t of router r of group G is node (G*a + r)*p + t; the routers follow as switches: that router
/// is node g*a*p + G*a + r.
///
/// Ports of a router: `terminal0`, ... to its processors; `local0`, ... to the other routers of its group in their
/// order, without its own number; `global0`, ... to other groups. In-port q faces the same neighbour as out-port q.
///
/// Assignment of global links to routers: the g-1 global channels of a group lead to the other groups in their order,
/// without its own number (the *absolute* arrangement of Camarero, Vallejo, Beivide, "Topological characterization of
/// Hamming and dragonfly networks", 2014), and router r has channels r*h .. r*h + h-1, h = (g-1)/a rounded up. With g
/// = a*h + 1, the largest that a and h allow, every router has h of them; else the last routers have fewer.
class Dragonfly {
 public:
  /// \throws InputError if there are fewer than 2 groups, no routers or terminals, a router with more ports than a node
  /// can have, or more nodes than a graph can number.
  Dragonfly(std::int64_t groups, std::int64_t routers, std::int64_t terminals);

  std::int32_t groups() const { return groups_; }
  std::int32_t routers_per_group() const { return routers_; }
  std::int32_t terminals_per_router() const { return terminals_; }
  /// h, the greatest number of global links of a router.
  std::int32_t globals_per_router() const { return globals_; }
  NodeId routers() const { return groups_ * routers_; }
  NodeId processors() const { return routers() * terminals_; }
  NodeId nodes() const { return processors() + routers(); }
  int ports() const { return terminals_ + routers_ - 1 + globals_; }
  NetworkSize size() const;

  bool is_router(NodeId node) const { return node >= processors(); }
  /// The router of a processor; a router itself.
  NodeId router_of(NodeId node) const { return is_router(node) ? node : processors() + node / terminals_; }
  /// The group of a processor or router.
  std::int32_t group(NodeId node) const { return (router_of(node) - processors()) / routers_; }
  /// The number of a router in its group.
  std::int32_t number(NodeId router) const { return (router - processors()) % routers_; }
  NodeId router_at(std::int32_t group, std::int32_t number) const { return processors() + group * routers_ + number; }

  /// The router of `from` that has the global link to another group.
  NodeId gateway(std::int32_t from, std::int32_t to) const { return router_at(from, channel(from, to) / globals_); }
  /// The out-port of that router.
  Port global_port(std::int32_t from, std::int32_t to) const {
    return terminals_ + routers_ - 1 + channel(from, to) % globals_;
  }
  /// True for the out-ports of a router that lead to other routers of its group.
  bool is_local(Port port) const { return port >= terminals_ && port < terminals_ + routers_ - 1; }
  /// The out-port of a router that leads to another router of its group.
  Port local_port(NodeId router, NodeId other) const {
    return terminals_ + number(other) - (number(other) > number(router) ? 1 : 0);
  }
  /// The out-port to a processor, at its router.
  Port terminal_port(NodeId processor) const { return processor % terminals_; }
  /// The group that a router's global port leads to; -1 if the port has no link.
  std::int32_t group_behind(NodeId router, Port global_port) const;
  /// The out-port on the path with at most one global link: to the router that has it, across, and on to the
  /// destination; no_port at the destination. This is a shortest path with at most one global link; a path with two
  /// global links and no local ones may be shorter.
  Port minimal_port(NodeId at, NodeId destination) const;

  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const;

 private:
  /// The global channel of one group to another.
  static std::int32_t channel(std::int32_t from, std::int32_t to) { return to < from ? to : to - 1; }
  std::int32_t router_distance(NodeId from, NodeId to) const;

  std::int32_t groups_;
  std::int32_t routers_;
  std::int32_t terminals_;
  std::int32_t globals_;
};

/// `Dragonfly(groups, routers, terminals).size()` for any numbers, without the limits of the constructor.
NetworkSize dragonfly_size(std::int64_t groups, std::int64_t routers, std::int64_t terminals);

/// Names `proc_g03_r02_p01`, `router_g03_r02`; ports as above. Groups are drawn on a circle, the routers of each
/// group on a smaller one, with their processors around them.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_dragonfly(const Dragonfly& dragonfly, std::int32_t link_latency = 1);

}  // namespace starloom

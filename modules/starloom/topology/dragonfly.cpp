// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/dragonfly.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/on_circle.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

/// Throws before anything is allocated.
std::int32_t checked_groups(std::int64_t groups, std::int64_t routers, std::int64_t terminals) {
  if (groups < 2) throw InputError("a dragonfly has at least 2 groups, not " + std::to_string(groups));
  if (routers < 1) throw InputError("a group of a dragonfly has at least one router, not " + std::to_string(routers));
  if (terminals < 1)
    throw InputError("a router of a dragonfly has at least one terminal, not " + std::to_string(terminals));
  const double globals = std::ceil(static_cast<double>(groups - 1) / static_cast<double>(routers));
  if (static_cast<double>(terminals) + static_cast<double>(routers - 1) + globals > max_ports)
    throw InputError("a router of this dragonfly would need " +
                     counted(terminals + routers - 1 + static_cast<std::int64_t>(globals), "port") + " (terminals " +
                     std::to_string(terminals) + ", local links " + std::to_string(routers - 1) +
                     ", global links up to " + std::to_string(static_cast<std::int64_t>(globals)) + "), more than " +
                     std::to_string(max_ports) + "; choose fewer terminals or groups, or more routers per group");
  return static_cast<std::int32_t>(groups);
}

std::vector<std::string> port_names_of(const Dragonfly& dragonfly) {
  std::vector<std::string> names;
  const auto add = [&](const char* kind, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) names.push_back(kind + index_text(i, count));
  };
  add("terminal", dragonfly.terminals_per_router());
  add("local", dragonfly.routers_per_group() - 1);
  add("global", dragonfly.globals_per_router());
  return names;
}

}  // namespace

Dragonfly::Dragonfly(std::int64_t groups, std::int64_t routers, std::int64_t terminals)
    : groups_(checked_groups(groups, routers, terminals)),
      routers_(static_cast<std::int32_t>(routers)),
      terminals_(static_cast<std::int32_t>(terminals)),
      globals_((groups_ - 1 + routers_ - 1) / routers_) {}

NetworkSize Dragonfly::size() const { return dragonfly_size(groups_, routers_, terminals_); }

std::int32_t Dragonfly::group_behind(NodeId router, Port global_port) const {
  const std::int32_t own = group(router);
  const std::int32_t to = number(router) * globals_ + global_port - (terminals_ + routers_ - 1);
  if (to >= groups_ - 1) return -1;
  return to < own ? to : to + 1;
}

Port Dragonfly::minimal_port(NodeId at, NodeId destination) const {
  if (at == destination) return no_port;
  if (!is_router(at)) return 0;
  const NodeId last = router_of(destination);
  if (at == last) return terminal_port(destination);
  const std::int32_t here = group(at), there = group(last);
  if (here == there) return local_port(at, last);
  const NodeId leaving = gateway(here, there);
  return at == leaving ? global_port(here, there) : local_port(at, leaving);
}

/// Between routers of different groups: at most a local link, the global one and a local one. A path with two global
/// links is shorter if both end at these very routers.
std::int32_t Dragonfly::router_distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  const std::int32_t here = group(from), there = group(to);
  if (here == there) return 1;
  const std::int32_t one_global = 1 + (gateway(here, there) != from ? 1 : 0) + (gateway(there, here) != to ? 1 : 0);
  if (one_global < 3) return one_global;
  const Port first = terminals_ + routers_ - 1;
  for (Port port = first; port < first + globals_; ++port) {
    const std::int32_t between = group_behind(from, port);
    if (between >= 0 && between != there && gateway(between, here) == gateway(between, there) &&
        gateway(there, between) == to)
      return 2;
  }
  return one_global;
}

std::int32_t Dragonfly::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  return (is_router(from) ? 0 : 1) + (is_router(to) ? 0 : 1) + router_distance(router_of(from), router_of(to));
}

std::int32_t Dragonfly::diameter() const {
  constexpr std::int32_t most = 3;  // between routers
  std::int32_t greatest = 0;
  for (NodeId from = processors(); from < nodes(); ++from)
    for (NodeId to = processors(); to < nodes() && greatest < most; ++to)
      greatest = std::max(greatest, router_distance(from, to));
  return 2 + greatest;
}

NetworkSize dragonfly_size(std::int64_t groups, std::int64_t routers, std::int64_t terminals) {
  const auto g = static_cast<double>(groups), a = static_cast<double>(routers), p = static_cast<double>(terminals);
  return {g * a * (p + 1), 2 * g * a * p + g * a * (a - 1) + g * (g - 1)};
}

NetworkGraph make_dragonfly(const Dragonfly& dragonfly, std::int32_t link_latency) {
  const std::int32_t g = dragonfly.groups(), a = dragonfly.routers_per_group(), p = dragonfly.terminals_per_router();
  NetworkGraphBuilder builder;
  builder.expect(dragonfly.nodes(), dragonfly.ports());
  const PortNaming one_port = builder.name_ports({"router"});
  const PortNaming of_routers = builder.name_ports(port_names_of(dragonfly));

  const double inner = a == 1 ? 0 : std::max(0.8, circle_radius(a, 1.5));
  const double outer = std::max(inner + 1.1, circle_radius(static_cast<double>(a) * p, 0.9));
  const double middle = std::max(outer + 0.7, circle_radius(g, 2 * outer + 1.4));
  const auto centre = [&](std::int32_t group) { return on_circle({}, middle, static_cast<double>(group) / g); };
  // Router 0 is outermost in each group, so that all groups look alike from the centre.
  const auto turn = [&](std::int32_t group, double part) { return static_cast<double>(group) / g + part; };
  const auto label = [&](std::int32_t group, std::int32_t router) {
    return "g" + padded(group, g) + "_r" + padded(router, a);
  };
  for (std::int32_t group = 0; group < g; ++group)
    for (std::int32_t r = 0; r < a; ++r)
      for (std::int32_t t = 0; t < p; ++t)
        builder.add_node(NodeRole::processor, "proc_" + label(group, r) + "_p" + padded(t, p),
                         on_circle(centre(group), outer, turn(group, (r + (t - (p - 1) / 2.0) / p) / a)), one_port);
  for (std::int32_t group = 0; group < g; ++group)
    for (std::int32_t r = 0; r < a; ++r)
      builder.add_node(NodeRole::switch_node, "router_" + label(group, r),
                       on_circle(centre(group), inner, turn(group, static_cast<double>(r) / a)), of_routers);

  for (NodeId processor = 0; processor < dragonfly.processors(); ++processor) {
    const LinkEnd own{processor, 0}, router{dragonfly.router_of(processor), dragonfly.terminal_port(processor)};
    builder.add_link(own, router, {link_latency});
    builder.add_link(router, own, {link_latency});
  }
  for (NodeId router = dragonfly.processors(); router < dragonfly.nodes(); ++router) {
    const std::int32_t group = dragonfly.group(router);
    for (std::int32_t r = 0; r < a; ++r) {
      const NodeId other = dragonfly.router_at(group, r);
      if (other != router)
        builder.add_link({router, dragonfly.local_port(router, other)}, {other, dragonfly.local_port(other, router)},
                         {link_latency});
    }
    for (Port port = p + a - 1; port < dragonfly.ports(); ++port) {
      const std::int32_t other = dragonfly.group_behind(router, port);
      if (other >= 0)
        builder.add_link({router, port}, {dragonfly.gateway(other, group), dragonfly.global_port(other, group)},
                         {link_latency});
    }
  }
  builder.set_distance([dragonfly](NodeId from, NodeId to) { return dragonfly.distance(from, to); },
                       dragonfly.diameter());
  return builder.build();
}

}  // namespace starloom

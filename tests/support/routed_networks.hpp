// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Networks for routing functions, and a table of what theory says of each function on each.
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/folded_clos.hpp>
#include <starloom/topology/hypercube.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/ring.hpp>

#include "support/dice.hpp"
#include "support/networks.hpp"

namespace starloom {

/// Networks live to the end of the process, so that algorithms may refer to them.
inline const LinkNetwork& kept(LinkNetwork network) {
  static std::deque<LinkNetwork> networks;
  networks.push_back(std::move(network));
  return networks.back();
}

/// Makes a routing function of Starloom. \param channels of every port.
inline std::unique_ptr<routing::RoutingFunction> made_function(const std::string& name, const LinkNetwork& network,
                                                               int channels = 1,
                                                               std::map<std::string, KeyValue> keys = {},
                                                               const std::filesystem::path& folder = {}) {
  static const std::vector<routing::FunctionEntry> functions = routing::standard_functions();
  return part_named(functions, name).make({&network, 0, channels, folder}, KeyValues(std::move(keys)));
}

/// Processors, switches and now and then a terminal or a host of two links, some of them with parallel links.
inline LinkNetwork random_network(links::Dice& dice) {
  NetworkGraphBuilder builder;
  const int nodes = 5 + dice.below(12), terminals = dice.below(4);
  std::vector<NodeId> switches = {0};
  for (int node = 0; node < nodes; ++node) {
    const bool is_switch = node == 0 || dice.one_in(4);
    builder.add_node(is_switch ? NodeRole::switch_node : NodeRole::processor, "n" + std::to_string(node));
    if (is_switch) switches.push_back(node);
  }
  for (int terminal = 0; terminal < terminals; ++terminal)
    builder.add_node(terminal % 2 == 0 ? NodeRole::processor : NodeRole::host, "t" + std::to_string(terminal));
  const auto join = [&builder](NodeId one, NodeId other) {
    builder.add_link(one, other);
    builder.add_link(other, one);
  };
  for (int node = 1; node < nodes; ++node) join(node, dice.below(node));
  for (int more = dice.below(2 * nodes); more > 0; --more) {
    const int one = dice.below(nodes), other = dice.below(nodes);
    if (one != other) join(one, other);
  }
  for (int terminal = 0; terminal < terminals; ++terminal)
    for (int links = 1 + (terminal % 2); links > 0; --links)
      join(nodes + terminal, switches[static_cast<std::size_t>(dice.below(static_cast<int>(switches.size())))]);
  return {"random", builder.build(), {}, "graph"};
}

inline const LinkNetwork& fat_tree(int arity, int levels) {
  const FatTree tree(arity, levels);
  return kept({"fat tree", make_fat_tree(tree), tree, "fat-tree"});
}
inline const LinkNetwork& folded_clos(const FoldedClos::Shape& shape) {
  const FoldedClos value(shape);
  LinkNetwork network{"clos", make_folded_clos(value), value, "clos"};
  network.roots = value.top();
  return kept(std::move(network));
}
inline const LinkNetwork& dragonfly(int groups, int routers, int terminals) {
  const Dragonfly value(groups, routers, terminals);
  return kept({"dragonfly", make_dragonfly(value), value, "dragonfly"});
}
inline const LinkNetwork& butterfly(int arity, int stages) {
  const Butterfly value(arity, stages);
  return kept({"butterfly", make_butterfly(value), value, "butterfly"});
}
inline const LinkNetwork& hypercube(int dimensions) {
  const Hypercube value(dimensions);
  return kept({"hypercube", make_hypercube(value), value, "hypercube"});
}
inline const LinkNetwork& ring(int nodes) {
  const Ring value(nodes);
  return kept({"ring", make_ring(value), value, "ring"});
}
inline const LinkNetwork& concentrated_mesh(std::vector<std::int64_t> shape, int concentration) {
  const ConcentratedMesh value(shape, concentration);
  return kept({"concentrated mesh", make_concentrated_mesh(value), value, "concentrated-mesh"});
}
inline const LinkNetwork& flattened_butterfly(std::vector<std::int64_t> shape, int concentration) {
  const FlattenedButterfly value(shape, concentration);
  return kept({"flattened butterfly", make_flattened_butterfly(value), value, "flattened-butterfly"});
}
inline const LinkNetwork& express_mesh(int rows, int columns, int skip) {
  const ExpressMesh value(rows, columns, skip);
  return kept({"express mesh", make_express_mesh(value), value, "express-mesh"});
}

/// A random tree of switches and processors, of which those with one link are terminals, and some more links; latencies
/// intervals and widths differ from link to link.
inline LinkNetwork uneven_network(std::uint64_t seed) {
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  NetworkGraphBuilder builder;
  const auto nodes = static_cast<NodeId>(4 + dice.bounded(12));
  for (NodeId node = 0; node < nodes; ++node)
    builder.add_node(node > 0 && node % 3 == 0 ? NodeRole::switch_node : NodeRole::processor,
                     "n" + std::to_string(node));
  const auto join = [&](NodeId a, NodeId b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      const auto latency = static_cast<std::int32_t>(1 + dice.bounded(7));
      builder.add_link(from, to, uneven_timing(latency, dice));
    }
  };
  for (NodeId node = 1; node < nodes; ++node)
    join(node, static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(node))));
  return {"uneven", builder.build(), {}, "fat-tree"};
}

/// A random tree and some more links, all in both directions; every third node from the fifth on is a switch.
/// Latencies are 1 to `most_latency`.
inline LinkNetwork random_network(std::uint64_t seed, std::uint32_t most_latency = 1) {
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  const auto nodes = static_cast<NodeId>(8 + dice.bounded(57));
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < nodes; ++node)
    builder.add_node(node > 4 && node % 3 == 0 ? NodeRole::switch_node : NodeRole::processor,
                     "n" + std::to_string(node));
  std::vector<int> links(static_cast<std::size_t>(nodes), 0);
  const auto join = [&](NodeId a, NodeId b) {
    if (a == b || links[static_cast<std::size_t>(a)] > 20 || links[static_cast<std::size_t>(b)] > 20) return;
    ++links[static_cast<std::size_t>(a)];
    ++links[static_cast<std::size_t>(b)];
    const auto latency = [&] {
      return static_cast<std::int32_t>(most_latency == 1 ? 1 : 1 + dice.bounded(most_latency));
    };
    builder.add_link(a, b, {latency()});
    builder.add_link(b, a, {latency()});
  };
  for (NodeId node = 1; node < nodes; ++node) {
    NodeId to = static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(node)));
    while (links[static_cast<std::size_t>(to)] > 20) to = (to + 1) % node;
    join(node, to);
  }
  for (std::uint32_t more = dice.bounded(static_cast<std::uint32_t>(nodes)); more > 0; --more)
    join(static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(nodes))),
         static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(nodes))));
  return {"random", builder.build(), {}, "fat-tree"};  // any topology that functions of all networks serve
}

/// `leaves` switches with two processors each, and two more switches, to each of which two cables lead from each leaf.
inline const LinkNetwork& doubled_cables(int leaves) {
  NetworkGraphBuilder builder;
  for (int host = 0; host < 2 * leaves; ++host) builder.add_node(NodeRole::processor, "h" + std::to_string(host));
  for (int leaf = 0; leaf < leaves; ++leaf) builder.add_node(NodeRole::switch_node, "leaf" + std::to_string(leaf));
  for (const char* name : {"spine0", "spine1"}) builder.add_node(NodeRole::switch_node, name);
  const auto join = [&builder](NodeId a, NodeId b) {
    builder.add_link(a, b);
    builder.add_link(b, a);
  };
  for (NodeId host = 0; host < 2 * leaves; ++host) join(host, 2 * leaves + host / 2);
  for (NodeId leaf = 2 * leaves; leaf < 3 * leaves; ++leaf)
    for (const NodeId cable : {0, 0, 1, 1}) join(leaf, 3 * leaves + cable);
  return kept({"network with doubled cables", builder.build(), {}, "fat-tree"});
}

/// A random network, and before its nodes hosts with links to one to three of them, or to another host. Latencies are 1
/// to `most_latency`.
inline LinkNetwork random_network_with_hosts(std::uint64_t seed, std::uint32_t most_latency = 1) {
  RandomStream dice(seed, Purpose::algorithm, 1, 0);
  const LinkNetwork core = random_network(seed, most_latency);
  const auto hosts = static_cast<NodeId>(2 + dice.bounded(12));
  NetworkGraphBuilder builder;
  for (NodeId host = 0; host < hosts; ++host) builder.add_node(NodeRole::host, "h" + std::to_string(host));
  for (NodeId node = 0; node < core.graph.nodes(); ++node)
    builder.add_node(core.graph.role(node), core.graph.node_name(node));
  for (NodeId node = 0; node < core.graph.nodes(); ++node)
    for (const Port port : core.graph.out_ports(node))
      builder.add_link(hosts + node, hosts + core.graph.far_end(node, port).node, {core.graph.latency(node, port)});
  const auto join = [&](NodeId a, NodeId b) {
    builder.add_link(a, b, {static_cast<std::int32_t>(1 + dice.bounded(most_latency))});
    builder.add_link(b, a, {static_cast<std::int32_t>(1 + dice.bounded(most_latency))});
  };
  for (NodeId host = 0; host < hosts; ++host) {
    const NodeId first = hosts + static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(core.graph.nodes())));
    for (std::uint32_t more = 1 + dice.bounded(3); more > 0; --more)
      join(host, hosts + (first - hosts + static_cast<NodeId>(more)) % core.graph.nodes());
    if (host > 0 && dice.bounded(4) == 0) join(host, host - 1);
  }
  return {"random network with hosts", builder.build(), {}, "fat-tree"};
}

/// Four processors at each of two switches, a spine between these, and between them a host with a link to each.
inline const LinkNetwork& two_racks() {
  NetworkGraphBuilder builder;
  const auto join = [&builder](NodeId a, NodeId b) {
    builder.add_link(a, b);
    builder.add_link(b, a);
  };
  for (const char* name : {"a0", "a1", "a2", "a3", "m", "c0", "c1", "c2", "c3"})
    builder.add_node(name[0] == 'm' ? NodeRole::host : NodeRole::processor, name);
  for (const char* name : {"leaf1", "leaf2", "spine"}) builder.add_node(NodeRole::switch_node, name);
  for (NodeId node = 0; node < 9; ++node)
    for (const NodeId leaf : {9, 10})
      if (node == 4 || (node < 4) == (leaf == 9)) join(node, leaf);
  for (const NodeId leaf : {9, 10}) join(leaf, 11);
  return kept({"network of two racks", builder.build(), {}, "fat-tree"});
}

/// Hosts with a link to each of `planes` switches, which only the hosts join.
inline const LinkNetwork& planes_of_hosts(int hosts, int planes) {
  NetworkGraphBuilder builder;
  for (int host = 0; host < hosts; ++host) builder.add_node(NodeRole::host, "h" + std::to_string(host));
  for (int plane = 0; plane < planes; ++plane) builder.add_node(NodeRole::switch_node, "plane" + std::to_string(plane));
  for (NodeId host = 0; host < hosts; ++host)
    for (NodeId plane = hosts; plane < hosts + planes; ++plane) {
      builder.add_link(host, plane);
      builder.add_link(plane, host);
    }
  return kept({"network of planes", builder.build(), {}, "fat-tree"});
}

/// A function on a network with the fewest channels that it needs.
struct RoutedNetwork {
  const LinkNetwork* network;
  std::string function;
  int channels;
  bool acyclic;  ///< what theory says
  bool small;    ///< worth a long run
  std::map<std::string, KeyValue> keys{};
};

inline std::string name_of(const RoutedNetwork& routed) {
  std::string keys;
  for (const auto& [key, value] : routed.keys) keys += " with " + key + ": " + value_text(value);
  return routed.function + keys + " on a " + routed.network->title + " of " +
         std::to_string(routed.network->graph.nodes()) + " nodes";
}

/// Turn models, datelines, escape channels, phases, trees: no cycle. Rings without datelines, and shortest paths on
/// networks with rings: cycles.
inline std::vector<RoutedNetwork> routed_networks() {
  std::vector<RoutedNetwork> table;
  const auto add = [&table](const LinkNetwork& network, bool small, const std::string& function, int channels,
                            bool acyclic = true) {
    table.push_back({&network, function, channels, acyclic, small});
  };
  for (const int side : {4, 5, 6, 7, 8}) {
    const LinkNetwork& mesh = network_of(Grid::mesh({side, side}));
    for (const char* function : {"dimension-order", "dimension-order-plain", "yx", "west-first", "north-last",
                                 "negative-first", "odd-even", "up-down", "shortest"})
      add(mesh, side == 4, function, 1);
    for (const char* function :
         {"o1turn", "xy-yx-adaptive", "adaptive", "min-adaptive", "valiant", "romm", "up-down-adaptive"})
      add(mesh, side == 4, function, 2);
    add(mesh, side == 4, "planar-adaptive", 3);
    const LinkNetwork& torus = network_of(Grid::torus({side, side}));
    const LinkNetwork& cycle = ring(side);
    for (const LinkNetwork* rings : {&torus, &cycle}) {
      const bool small = rings == &torus ? side == 4 : side == 8;
      for (const char* function : {"dimension-order", "yx"}) add(*rings, small, function, 2);
      add(*rings, small, "adaptive", 3);
      add(*rings, small, "valiant", 4);
      add(*rings, small, "up-down", 1);
      add(*rings, small, "up-down-adaptive", 2);
      for (const char* function : {"dimension-order-plain", "shortest"}) add(*rings, small, function, 1, false);
    }
    for (const char* spread : {"flow", "packet", "adaptive"}) {
      add(cycle, side == 8, "shortest", 1, false);
      table.back().keys = {{"spread", std::string(spread)}};
      add(torus, false, "up-down", 1);
      table.back().keys = {{"spread", std::string(spread)}};
    }
  }
  for (const int arity : {2, 3, 4})
    for (const int levels : {1, 2, 3}) {
      const LinkNetwork& tree = fat_tree(arity, levels);
      for (const char* ascent : {"random", "adaptive"}) {
        add(tree, arity == 2 && levels == 3, "nearest-ancestor", 1);
        table.back().keys = {{"nearest-ancestor.ascent", std::string(ascent)}};
      }
      for (const char* function : {"nearest-ancestor", "up-down", "shortest"})
        add(tree, arity == 2 && levels == 3, function, 1);
      add(tree, arity == 2 && levels == 3, "up-down-adaptive", 2);
    }
  for (const auto& [groups, routers, terminals] :
       {std::tuple(3, 2, 1), std::tuple(5, 2, 2), std::tuple(9, 4, 2), std::tuple(9, 8, 1)}) {
    const LinkNetwork& network = dragonfly(groups, routers, terminals);
    add(network, groups == 5, "dragonfly-minimal", 2);
    add(network, groups == 5, "dragonfly-valiant", 3);
    for (const std::int64_t threshold : {-8, 3}) {
      add(network, groups == 5, "ugal", 3);
      table.back().keys = {{"ugal.threshold", threshold}};
    }
    add(network, groups == 5, "up-down", 1);
    add(network, groups == 5, "up-down-adaptive", 2);
    add(network, groups == 5, "shortest", 1, false);
  }
  for (const int leaves : {3, 5})
    for (const char* function : {"shortest", "up-down"})
      for (const char* spread : {"flow", "packet", "adaptive"}) {
        add(doubled_cables(leaves), leaves == 3, function, 1);
        table.back().keys = {{"spread", std::string(spread)}};
      }
  for (const FoldedClos::Shape& shape : {FoldedClos::Shape{1, 3, 2, 0, 2, 2}, FoldedClos::Shape{2, 2, 2, 4, 2, 1}}) {
    const LinkNetwork& clos = folded_clos(shape);
    const bool small = shape.pods == 1;
    for (const char* function : {"shortest", "up-down"}) {
      add(clos, small, function, 1);
      for (const char* spread : {"flow", "packet", "adaptive"}) {
        add(clos, small, function, 1);
        table.back().keys = {{"spread", std::string(spread)}};
      }
    }
    add(clos, small, "up-down-adaptive", 2);
  }
  for (const LinkNetwork* network : {&two_racks(), &planes_of_hosts(5, 2)}) {
    for (const char* function : {"shortest", "up-down"}) {
      add(*network, network->graph.nodes() > 7, function, 1);
      add(*network, network->graph.nodes() == 7, function, 1);
      table.back().keys = {{"spread", std::string("packet")}};
    }
    add(*network, false, "up-down-adaptive", 2);
  }
  for (const auto& [arity, stages] : {std::pair(2, 3), std::pair(3, 2)})
    for (const char* function : {"destination-tag", "shortest"})
      add(butterfly(arity, stages), stages == 3, function, 1);
  for (const int dimensions : {3, 4, 5})
    for (const char* function : {"dimension-order", "shortest", "up-down"})
      add(hypercube(dimensions), dimensions == 4, function, 1);
  add(hypercube(4), false, "up-down-adaptive", 2);
  const LinkNetwork& concentrated = concentrated_mesh({4, 3}, 2);
  for (const char* function : {"dimension-order", "west-first", "north-last", "negative-first", "odd-even"})
    add(concentrated, false, function, 1);
  for (const char* function : {"o1turn", "xy-yx-adaptive", "adaptive", "min-adaptive", "valiant", "romm"})
    add(concentrated, function == std::string("adaptive") || function == std::string("xy-yx-adaptive"), function, 2);
  add(concentrated, false, "planar-adaptive", 3);
  for (const int skip : {2, 3, 5}) {
    const LinkNetwork& express = express_mesh(4, 8, skip);
    add(express, skip == 3, "dimension-order", 1);
    add(express, false, "up-down", 1);
    add(express, false, "up-down-adaptive", 2);
  }
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{2, 3}, {4, 4}, {5}, {3, 2, 2}}) {
    const LinkNetwork& butterfly = flattened_butterfly(shape, 2);
    const bool small = shape.size() == 2 && shape[0] == 2;
    for (const char* function : {"dimension-order", "up-down"}) add(butterfly, small, function, 1);
    for (const char* function : {"valiant", "ugal", "up-down-adaptive"}) add(butterfly, small, function, 2);
    add(butterfly, false, "ugal", 2);
    table.back().keys = {{"ugal.threshold", std::int64_t{-8}}};
  }
  for (std::size_t i = 0, count = table.size(); i < count; ++i)
    if (table[i].function == "up-down" && table[i].keys.empty()) add(*table[i].network, table[i].small, "nue", 1);
  return table;
}

}  // namespace starloom

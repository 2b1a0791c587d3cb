// SPDX-License-Identifier: Apache-2.0
/// \file The routing function nue, in lockstep with a second implementation without its data structures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/topology/cables.hpp>
#include <starloom/topology/faults.hpp>

#include "support/dice.hpp"
#include "support/link_paths.hpp"
#include "support/routed_networks.hpp"

namespace starloom {
namespace {

using links::Dice;
using routing::Choices;
using routing::RoutingFunction;

std::unique_ptr<RoutingFunction> nue(const LinkNetwork& network, const Faults& faults, int channels,
                                     bool through_terminals = false) {
  static const std::vector<routing::FunctionEntry> functions = routing::standard_functions();
  routing::FunctionContext context{&network, 0, channels};
  context.through_terminals = through_terminals;
  context.faults = &faults;
  return part_named(functions, "nue").made(context, KeyValues());
}

/// The layer of a set of destinations: in each step, all links are looked at, and all edges for each new one.
class PlainLayer {
 public:
  PlainLayer(const NetworkGraph& cables, bool through_terminals, const std::vector<NodeId>& destinations)
      : graph_(cables), through_terminals_(through_terminals) {
    for (const NodeId destination : destinations) {
      grow_from(destination);
      for (const Port port : graph_.in_ports(destination)) grow_from(graph_.near_end(destination, port).node);
    }
    for (const NodeId destination : destinations) {
      const std::map<NodeId, LinkEnd> next = search(destination, {}, true);
      for (const auto& [node, link] : next)
        if (const auto after = next.find(end_of(link)); after != next.end() && may_close_cycle(link, after->second))
          edges_.emplace(index(link), index(after->second));
    }
  }

  std::map<NodeId, LinkEnd> paths_to(NodeId destination, std::map<std::size_t, std::int64_t>& load) {
    const std::map<NodeId, LinkEnd> next = search(destination, load, false);
    for (const auto& [source, first] : next)
      if (graph_.processor_of(source) >= 0)
        for (NodeId node = source; node != destination; node = end_of(next.at(node))) ++load[index(next.at(node))];
    return next;
  }
  int escapes() const { return escapes_; }

 private:
  bool forwards(NodeId node) const { return graph_.forwards(node, through_terminals_); }
  std::size_t index(LinkEnd link) const { return graph_.index(link.node, link.port); }
  NodeId end_of(LinkEnd link) const { return graph_.far_end(link.node, link.port).node; }
  bool may_close_cycle(LinkEnd link, LinkEnd next) const { return forwards(link.node) && forwards(end_of(next)); }

  void grow_from(NodeId root) {
    if (!forwards(root) || planted_.count(root) > 0) return;
    planted_.insert(root);
    std::vector<NodeId> list = {root};
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const Port port : graph_.out_ports(list[i])) {
        const NodeId next = end_of({list[i], port});
        if (!forwards(next) || !planted_.insert(next).second) continue;
        list.push_back(next);
        tree_.insert(index({list[i], port}));
        tree_.insert(index(partner_of(graph_, {list[i], port})));
      }
  }

  bool may_follow(LinkEnd link, const std::map<NodeId, LinkEnd>& next) {
    const auto after = next.find(end_of(link));
    if (after == next.end() || !may_close_cycle(link, after->second)) return true;
    if (leads_to(edges_, index(after->second), index(link))) return false;
    edges_.emplace(index(link), index(after->second));
    return true;
  }

  std::map<NodeId, LinkEnd> search(NodeId destination, const std::map<std::size_t, std::int64_t>& load, bool on_tree) {
    std::map<NodeId, LinkEnd> next;
    std::set<std::pair<std::size_t, std::size_t>> refused;  // with the next link
    std::vector<NodeId> remaining;
    std::optional<std::map<NodeId, LinkEnd>> tree;
    std::set<NodeId> on_tree_now;
    const auto length = [&](LinkEnd first) {
      std::pair<int, std::int64_t> sum{0, 0};
      for (LinkEnd link = first;; link = next.at(end_of(link))) {
        ++sum.first;
        if (const auto found = load.find(index(link)); found != load.end()) sum.second += found->second;
        if (end_of(link) == destination) return sum;
      }
    };
    while (true) {
      std::optional<std::tuple<std::pair<int, std::int64_t>, NodeId, Port>> best;
      for (NodeId node = 0; node < graph_.nodes(); ++node)
        for (const Port port : graph_.out_ports(node)) {
          const NodeId end = end_of({node, port});
          if (node == destination || next.count(node) > 0) continue;
          if (end != destination && (next.count(end) == 0 || !forwards(end))) continue;
          if (end != destination && refused.count({index({node, port}), index(next.at(end))}) > 0) continue;
          if (on_tree && forwards(node) && forwards(end) && tree_.count(index({node, port})) == 0) continue;
          const std::tuple candidate(length({node, port}), node, port);
          if (!best || candidate < *best) best = candidate;
        }
      if (best) {
        const LinkEnd link{std::get<1>(*best), std::get<2>(*best)};
        if (on_tree || may_follow(link, next)) {
          next[link.node] = link;
        } else {
          refused.emplace(index(link), index(next.at(end_of(link))));
          remaining.push_back(link.node);
        }
        continue;
      }
      const auto without =
          std::find_if(remaining.rbegin(), remaining.rend(), [&next](NodeId node) { return next.count(node) == 0; });
      if (without == remaining.rend()) return next;
      ++escapes_;
      if (!tree) tree = search(destination, load, true);
      std::vector<NodeId> turned;
      const auto turn = [&](NodeId node) {
        for (; node != destination && on_tree_now.insert(node).second; node = end_of(next.at(node))) {
          const LinkEnd link = tree->at(node);
          const auto own = next.find(node);
          if (own == next.end() || !(own->second == link)) turned.push_back(node);
          next[node] = link;
        }
      };
      turn(*without);
      for (std::size_t i = 0; i < turned.size(); ++i)
        for (const Port port : graph_.in_ports(turned[i])) {
          const LinkEnd before = graph_.near_end(turned[i], port);
          const auto own = next.find(before.node);
          if (own == next.end() || !(own->second == before) || on_tree_now.count(before.node) > 0) continue;
          if (!may_follow(before, next)) turn(before.node);
        }
    }
  }

  const NetworkGraph graph_;
  const bool through_terminals_;
  std::set<NodeId> planted_;
  std::set<std::size_t> tree_;
  std::set<std::pair<std::size_t, std::size_t>> edges_;
  int escapes_ = 0;
};

/// Dead cables, single dead links and dead channels.
Faults random_faults(const NetworkGraph& graph, Dice& dice, int channels, int one_in) {
  Faults faults(graph);
  for (const Cable& cable : cables_of(graph)) {
    if (dice.one_in(one_in)) faults.kill_cable(cable);
    else if (dice.one_in(20)) faults.kill_link(cable.lower);
    else if (dice.one_in(20)) faults.kill_channel(cable.upper, dice.below(channels));
  }
  return faults;
}

NetworkGraph of_channel(const NetworkGraph& left, const Faults& faults, int channel) {
  std::vector<bool> without(left.link_slots(), false);
  for (const Cable& cable : cables_of(left))
    without[left.index(cable.lower.node, cable.lower.port)] = without[left.index(cable.upper.node, cable.upper.port)] =
        faults.channel_is_dead(cable.lower.node, cable.lower.port, channel) ||
        faults.channel_is_dead(cable.upper.node, cable.upper.port, channel);
  return left.without_links(without);
}

TEST(Nue, TakesThePathsOfThePlainImplementation) {
  Dice dice(23);
  int escapes = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(round);
    const bool on_grid = round % 3 > 0;
    const LinkNetwork& network = !on_grid ? kept(random_network(dice))
                                          : network_of(round % 3 == 1 ? Grid::torus({4 + dice.below(3), 5})
                                                                      : Grid::mesh({4 + dice.below(3), 5}));
    const NetworkGraph& graph = network.graph;
    const int channels = 1 + dice.below(4);
    const bool through_terminals = dice.one_in(4);
    const Faults faults = random_faults(graph, dice, channels, 5 + dice.below(10));
    const auto function = nue(network, faults, channels, through_terminals);
    const NetworkGraph left = whole_cables(faults.left_both_ways());
    std::map<std::size_t, std::int64_t> load;
    for (int layer = 0; layer < channels; ++layer) {
      std::vector<NodeId> destinations;
      for (NodeId number = graph.processors() - 1; number >= 0; --number)
        if (number * channels / graph.processors() == layer) destinations.push_back(graph.processor(number));
      PlainLayer plain(of_channel(left, faults, layer), through_terminals, destinations);
      for (const NodeId destination : destinations) {
        const std::map<NodeId, LinkEnd> next = plain.paths_to(destination, load);
        for (NodeId node = 0; node < graph.nodes(); ++node) {
          if (node == destination) continue;
          Choices choices;
          function->route({node, graph.ports(), 0, destination}, choices);
          ASSERT_EQ(choices.size(), next.count(node)) << node << " to " << destination;
          if (choices.size() == 0) continue;
          ASSERT_EQ(choices.begin()->port, next.at(node).port) << node << " to " << destination;
          ASSERT_EQ(choices.begin()->first, layer);
          ASSERT_EQ(choices.begin()->count, 1);
        }
      }
      escapes += plain.escapes();
    }
  }
  EXPECT_GT(escapes, 20);
}

// Paths of different channels cannot close a cycle with each other.
TEST(Nue, LeavesNoCycleAndNoPairOfAPartWithoutAPath) {
  Dice dice(29);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const LinkNetwork& network = kept(random_network(dice));
    const NetworkGraph& graph = network.graph;
    Faults faults(graph);
    for (const Cable& cable : cables_of(graph)) {
      if (dice.one_in(8)) faults.kill_cable(cable);
      else if (dice.one_in(12)) faults.kill_link(cable.lower);
    }
    const int channels = 1 + dice.below(3);
    const auto function = nue(network, faults, channels);
    EXPECT_EQ(wrongly_served(*function, faults), "");
    for (int layer = 0; layer < channels; ++layer)
      EXPECT_TRUE(leave_no_cycle(paths_of(*function, graph, [&](const routing::Head& head) {
        Choices choices;
        function->route(head, choices);
        return choices.begin()->first == layer;
      })));
  }
}

// Of some nodes that go along the tree, those before them must, too.
TEST(Nue, LeavesNoCycleOnALargeMeshWithManyDeadCables) {
  const LinkNetwork& mesh = network_of(Grid::mesh({16, 16}));
  for (const std::uint64_t seed : {1, 6}) {
    SCOPED_TRACE(seed);
    Faults faults(mesh.graph);
    for (const Cable& cable : random_cables(cables_of(mesh.graph), std::int64_t{96}, seed)) faults.kill_cable(cable);
    const auto function = nue(mesh, faults, 4);
    for (int layer = 0; layer < 4; ++layer)
      EXPECT_TRUE(leave_no_cycle(paths_of(
          *function, mesh.graph, [layer](const routing::Head& head) { return head.destination / 64 == layer; })));
  }
}

/// Of one packet for each ordered pair: crossings of all links, and those of the link with the most.
std::pair<std::int64_t, std::int64_t> hops_and_greatest_load(const LinkNetwork& network, int channels) {
  const auto function = nue(network, Faults(network.graph), channels);
  std::map<std::size_t, std::int64_t> load;
  std::pair<std::int64_t, std::int64_t> sum{0, 0};
  for (const std::vector<std::size_t>& path : paths_of(*function, network.graph))
    for (const std::size_t link : path) {
      ++sum.first;
      sum.second = std::max(sum.second, ++load[link]);
    }
  return sum;
}

// All paths of the hypercube are shortest ones, and no link carries more of them than another.
TEST(Nue, BalancesShortestPathsOfAHypercubeInOneChannel) {
  for (const int dimensions : {3, 4, 5, 6}) {
    const LinkNetwork& cube = hypercube(dimensions);
    const std::int64_t nodes = cube.graph.nodes();
    EXPECT_EQ(hops_and_greatest_load(cube, 1), std::pair(nodes * nodes * dimensions / 2, nodes / 2)) << dimensions;
  }
}

// A ring of one channel cannot take all shortest paths, two channels can.
TEST(Nue, ShortensPathsWithMoreChannels) {
  const LinkNetwork& ring = network_of(Grid::torus({8}));
  EXPECT_GT(hops_and_greatest_load(ring, 1).first, 128);
  EXPECT_EQ(hops_and_greatest_load(ring, 8).first, 128);
}

}  // namespace
}  // namespace starloom

// SPDX-License-Identifier: Apache-2.0
/// \file How packets are spread over equal paths: which next hops are equal, and which of them a packet takes.
#include <starloom/routing/spread.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::routing {
namespace {

using Ports = std::vector<Port>;

const std::vector<std::string> spreads = {"flow", "packet", "adaptive"};

std::unique_ptr<RoutingFunction> spread_function(const std::string& name, const LinkNetwork& network,
                                                 const std::string& spread, std::map<std::string, KeyValue> keys = {}) {
  keys["spread"] = spread;
  return made_function(name, network, 2, std::move(keys));
}
Ports offered(const RoutingFunction& function, const Head& head) {
  Choices choices;
  function.route(head, choices);
  Ports ports;
  for (const Choice& choice : choices) ports.push_back(choice.port);
  return ports;
}
/// The ports that a head may take for some random choice.
Ports every_port(const RoutingFunction& function, const Head& head) {
  Ports ports = offered(function.every_path() != nullptr ? *function.every_path() : function, head);
  std::sort(ports.begin(), ports.end());
  return ports;
}

/// The lengths of shortest paths from all states of packets to one destination, by Bellman and Ford's relaxation of all
/// links. Terminals and hosts are only the first or the last node of a path. A state is a node and true if the packet
/// has gone down, which only up*/down* distinguishes.
class PlainSearch {
 public:
  /// \param level [node] of up*/down*; empty: any shortest path is allowed. \param by_latency instead of links.
  PlainSearch(const NetworkGraph& graph, std::vector<std::int32_t> level, bool by_latency)
      : graph_(graph), level_(std::move(level)), by_latency_(by_latency) {}

  void search(NodeId destination) {
    left_.clear();
    for (const bool down : {false, true}) left_[{destination, down}] = 0;
    for (bool shorter = true; shorter;) {
      shorter = false;
      for (NodeId node = 0; node < graph_.nodes(); ++node)
        for (const bool down : {false, true})
          each_link(node, down, [&](Port port, const State& next) {
            const auto behind = left_.find(next);
            if (behind == left_.end() || (next.first != destination && ends_paths(next.first))) return;
            const std::int64_t through = behind->second + length(node, port);
            const auto [known, fresh] = left_.emplace(State{node, down}, through);
            shorter = shorter || fresh || through < known->second;
            known->second = std::min(known->second, through);
          });
    }
  }
  /// The ports of a head on shortest paths, ascending.
  Ports ports(NodeId node, bool down) const {
    Ports ports;
    each_link(node, down, [&](Port port, const State& next) {
      const auto behind = left_.find(next), here = left_.find({node, down});
      if (behind != left_.end() && here != left_.end() && (behind->second == 0 || !ends_paths(next.first)) &&
          behind->second + length(node, port) == here->second)
        ports.push_back(port);
    });
    return ports;
  }
  bool leads_up(NodeId from, NodeId to) const {
    const auto rank = [this](NodeId node) { return std::pair(level_[static_cast<std::size_t>(node)], node); };
    return rank(to) < rank(from);
  }

  /// To the destination; -1 without a path.
  std::int64_t left(NodeId node) const {
    const auto here = left_.find({node, false});
    return here == left_.end() ? -1 : here->second;
  }

 private:
  using State = std::pair<NodeId, bool>;

  bool ends_paths(NodeId node) const { return graph_.role(node) == NodeRole::host || graph_.is_terminal(node); }
  template <class Visit>
  void each_link(NodeId node, bool down, const Visit& visit) const {
    for (Port port = 0; port < graph_.ports(); ++port) {
      if (!graph_.out_ports(node).has(port)) continue;
      const NodeId next = graph_.far_end(node, port).node;
      const bool up = level_.empty() || leads_up(node, next);
      if (!(down && up && !level_.empty())) visit(port, State{next, !up});
    }
  }
  std::int64_t length(NodeId node, Port port) const { return by_latency_ ? graph_.latency(node, port) : 1; }

  const NetworkGraph graph_;
  const std::vector<std::int32_t> level_;
  const bool by_latency_;
  std::map<State, std::int64_t> left_;
};

/// Networks without hosts for even seeds, with hosts for odd ones.
LinkNetwork searched_network(std::uint64_t seed, std::uint32_t most_latency = 1) {
  return seed % 2 == 0 ? random_network(seed, most_latency) : random_network_with_hosts(seed, most_latency);
}

TEST(Spread, OffersTheNextHopsOfAPlainSearch) {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const LinkNetwork network = searched_network(seed, 2);
    const NetworkGraph& graph = network.graph;
    for (const std::string& spread : spreads)
      for (const char* weight : {"links", "latency"}) {
        const auto function = spread_function("shortest", network, spread, {{"weight", std::string(weight)}});
        PlainSearch search(graph, {}, std::string(weight) == "latency");
        for (NodeId to = static_cast<NodeId>(seed % 3); to < graph.processors(); to += 5) {
          const NodeId destination = graph.processor(to);
          search.search(destination);
          for (NodeId node = 0; node < graph.nodes(); ++node) {
            const Head head{node, graph.ports(), 0, destination};
            const Ports expected = node == destination ? Ports{graph.ports()} : search.ports(node, false);
            ASSERT_EQ(every_port(*function, head), expected) << seed << " " << node << " " << destination;
            if (std::string(weight) == "links") {
              ASSERT_EQ(graph.distance(node, destination), search.left(node)) << seed << " " << node;
            }
            several += expected.size() > 1 ? 1 : 0;
          }
        }
      }
  }
  EXPECT_GT(several, 500u);
}

TEST(Spread, OffersTheLegalNextHopsOfAPlainSearch) {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const LinkNetwork network = searched_network(seed);
    const NetworkGraph& graph = network.graph;
    NodeId root = static_cast<NodeId>(seed % 4);
    while (graph.role(root) == NodeRole::host) ++root;
    std::vector<std::int32_t> level = graph.distances_from(root);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (graph.role(node) == NodeRole::host || graph.is_terminal(node))
        level[static_cast<std::size_t>(node)] = 1'000'000;
    for (const std::string& spread : spreads) {
      const auto function =
          spread_function("up-down", network, spread, {{"root", std::vector<std::string>{std::to_string(root)}}});
      PlainSearch search(graph, level, false);
      for (NodeId to = static_cast<NodeId>(seed % 3); to < graph.processors(); to += 5) {
        const NodeId destination = graph.processor(to);
        search.search(destination);
        for (NodeId node = 0; node < graph.nodes(); ++node) {
          if (node == destination) continue;
          ASSERT_EQ(every_port(*function, {node, graph.ports(), 0, destination}), search.ports(node, false));
          for (Port in = 0; in < graph.ports(); ++in) {
            if (!graph.in_ports(node).has(in)) continue;
            const bool down = !search.leads_up(graph.near_end(node, in).node, node);
            const Ports expected = search.ports(node, down);
            ASSERT_EQ(every_port(*function, {node, in, 0, destination}), expected) << seed << " " << node;
            several += down && expected.size() > 1 ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(several, 20u);
}

/// Processors 0 .. 5 at switch 12, 6 .. 11 at switch 13, and six cables between the switches: ports 6 .. 11.
const LinkNetwork& six_cables() {
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < 14; ++node)
    builder.add_node(node < 12 ? NodeRole::processor : NodeRole::switch_node, "n" + std::to_string(node));
  const auto join = [&builder](NodeId a, NodeId b) {
    builder.add_link(a, b);
    builder.add_link(b, a);
  };
  for (NodeId node = 0; node < 12; ++node) join(node, node < 6 ? 12 : 13);
  for (int cable = 0; cable < 6; ++cable) join(12, 13);
  return kept({"six cables", builder.build(), {}, "graph"});
}

// The path of a pair depends on the seed, on both ends, and on nothing that a packet draws.
TEST(Spread, ByFlowIsOnePathAPair) {
  const LinkNetwork& network = six_cables();
  const auto cable = [&](std::uint64_t seed, NodeId from, NodeId to) {
    static const FunctionEntry shortest = part_named(standard_functions(), "shortest");
    const auto function =
        shortest.make({&network, 0, 2, {}, false, seed}, KeyValues({{"spread", std::string("flow")}}));
    EXPECT_FALSE(function->draws());
    EXPECT_FALSE(function->adaptive());
    EXPECT_EQ(function->random_choices_between(from, to), 1u);
    const std::uint32_t choice = function->random_choice_between(from, to, 0);
    EXPECT_LT(choice, function->random_choices());
    const Ports ports = offered(*function, {12, from, 0, to, choice});
    EXPECT_EQ(ports.size(), 1u);
    EXPECT_EQ(offered(*function, {12, from, 1, to, choice}), ports);
    return ports.front();
  };
  std::set<Port> of_seeds, of_sources, of_destinations;
  std::array<int, 12> taken{};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    of_seeds.insert(cable(seed, 0, 6));
    for (NodeId other = 0; other < 6; ++other) {
      if (seed == 1) of_sources.insert(cable(seed, other, 6));
      if (seed == 1) of_destinations.insert(cable(seed, 0, 6 + other));
      ++taken[static_cast<std::size_t>(cable(seed, other, 11 - other))];
    }
  }
  EXPECT_EQ(of_seeds.size(), 6u);
  EXPECT_GT(of_sources.size(), 1u);
  EXPECT_GT(of_destinations.size(), 1u);
  // 1,200 pairs, 200 to a cable with standard deviation 12.9.
  for (std::size_t port = 0; port < taken.size(); ++port) EXPECT_NEAR(taken[port], port < 6 ? 0 : 200, 60) << port;
}

TEST(Spread, ByPacketTakesAllPortsEquallyOftenInEveryNodeOnItsOwn) {
  const LinkNetwork& network = six_cables();
  const auto function = spread_function("shortest", network, "packet");
  EXPECT_TRUE(function->draws());
  EXPECT_TRUE(function->chooses_in_nodes());
  constexpr int packets = 60'000;
  std::array<int, 6> taken{};
  std::map<std::pair<Port, Port>, int> pairs;  // in this node, and back in the other one
  for (int packet = 0; packet < packets; ++packet) {
    const std::uint32_t word = random_word(7, Purpose::algorithm, 0, packet, 0) % function->random_choices();
    const Ports there = offered(*function, {12, 0, 0, 6, word}), back = offered(*function, {13, 0, 0, 0, word});
    ASSERT_EQ(there.size(), 1u);
    ++taken[static_cast<std::size_t>(there.front() - 6)];
    ++pairs[{there.front(), back.front()}];
  }
  for (const int count : taken) EXPECT_NEAR(count, packets / 6, 450);  // 5 standard deviations
  EXPECT_EQ(pairs.size(), 36u);
  for (const auto& [pair, count] : pairs) EXPECT_NEAR(count, packets / 36, 205);
}

// However the links of a switch are numbered, its heads begin at different ports.
TEST(Spread, AdaptiveBeginsAtAnotherPortForEachInPort) {
  const LinkNetwork& network = six_cables();
  const auto function = spread_function("shortest", network, "adaptive");
  EXPECT_TRUE(function->adaptive());
  EXPECT_EQ(function->random_choices(), 1u);
  EXPECT_EQ(offered(*function, {12, 2, 0, 6}), (Ports{8, 9, 10, 11, 6, 7}));
  std::set<Port> first;
  for (Port in = 0; in < 6; ++in) first.insert(offered(*function, {12, in, 0, 6}).front());
  EXPECT_EQ(first.size(), 6u);

  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < 8; ++node)
    builder.add_node(node < 6 ? NodeRole::processor : NodeRole::switch_node, "n" + std::to_string(node));
  for (NodeId node = 0; node < 3; ++node)
    for (const auto& [a, b] :
         {std::pair(node, NodeId{6}), std::pair(NodeId{6}, NodeId{7}), std::pair(NodeId(node + 3), NodeId{7})}) {
      builder.add_link(a, b);
      builder.add_link(b, a);
    }
  const LinkNetwork mixed{"mixed", builder.build(), {}, "graph"};  // cables are ports 1, 3 and 5
  const auto over_mixed = spread_function("shortest", mixed, "adaptive");
  EXPECT_EQ(offered(*over_mixed, {6, 0, 0, 5}), (Ports{1, 3, 5}));
  EXPECT_EQ(offered(*over_mixed, {6, 2, 0, 5}), (Ports{3, 5, 1}));
  EXPECT_EQ(offered(*over_mixed, {6, 4, 0, 5}), (Ports{5, 1, 3}));
  EXPECT_EQ(offered(*over_mixed, {6, mixed.graph.ports(), 0, 5}), (Ports{1, 3, 5})) << "all three are before it";
}

TEST(Spread, ToleratesWhatIsUnderWay) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  for (const std::int32_t latency : {1, 7}) {
    builder.add_link(0, 1, {latency});
    builder.add_link(1, 0, {latency});
  }
  const LinkNetwork two{"two", builder.build(), {}, "graph"};
  const auto tolerance = [&](const std::string& spread, const std::string& weight) {
    Choices choices;
    spread_function("shortest", two, spread, {{"weight", weight}})->route({0, two.graph.ports(), 0, 1}, choices);
    return choices.tolerance();
  };
  EXPECT_EQ(tolerance("adaptive", "links"), 16);
  EXPECT_EQ(tolerance("adaptive", "latency"), 4) << "the short link alone";
  EXPECT_EQ(tolerance("packet", "links"), 0);
}

TEST(Spread, IsRefusedWherePathsMustBeFixed) {
  const auto refused = [](const char* algorithm, std::map<std::string, KeyValue> keys) {
    keys.insert({{"function", std::string("shortest")}, {"spread", std::string("packet")}});
    try {
      links::named_algorithm(algorithm, network_of(Grid::mesh({3, 3})), keys);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused("greedy", {}), testing::HasSubstr("unknown key spread"));
  EXPECT_THAT(refused("vc-wormhole", {{"next_hop_channels", true}, {"channels", std::int64_t{8}}}),
              testing::HasSubstr("such as dimension-order, not shortest with spread"));
}

}  // namespace
}  // namespace starloom::routing

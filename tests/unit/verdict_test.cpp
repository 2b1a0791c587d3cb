// SPDX-License-Identifier: Apache-2.0
/// \file The verdicts of `check` on deadlocks and paths, compared with theory, and for functions without one of their
/// rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/routing/combinators.hpp>
#include <starloom/routing/shortest.hpp>
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

/// An algorithm that consists only of its routing function.
class Routed final : public Algorithm {
 public:
  explicit Routed(std::unique_ptr<routing::RoutingFunction> function, bool requests_all_choices = false)
      : Algorithm(declaration_of(requests_all_choices)), function_(std::move(function)) {}
  std::unique_ptr<ControllerArray> make_controllers() const override { return nullptr; }
  const routing::RoutingFunction* routing_function(int) const override { return function_.get(); }

 private:
  static Declaration declaration_of(bool requests_all_choices) {
    Declaration declaration;
    declaration.requests_all_choices = requests_all_choices;
    return declaration;
  }

  std::unique_ptr<routing::RoutingFunction> function_;
};

ChannelDependencies verdict(const LinkNetwork& network, std::unique_ptr<routing::RoutingFunction> function) {
  return *channel_dependencies(network.graph, Routed(std::move(function)));
}
ChannelDependencies verdict(const LinkNetwork& network, const std::string& name, int channels) {
  return verdict(network, made_function(name, network, channels));
}
std::unique_ptr<routing::RoutingFunction> function_of(const RoutedNetwork& routed) {
  return made_function(routed.function, *routed.network, routed.channels, routed.keys);
}

TEST(Verdict, EndsWhereThereAreTooManyWays) {
  for (const RoutedNetwork& routed : routed_networks()) {
    SCOPED_TRACE(name_of(routed));
    const Routed algorithm(function_of(routed));
    const auto looked_at = [&](std::size_t most) {
      return *channel_dependencies(routed.network->graph, algorithm, most);
    };
    std::size_t enough = 1;
    while (looked_at(enough).too_many_paths) enough *= 2;
    EXPECT_GT(enough, static_cast<std::size_t>(routed.network->graph.processors()));
    const ChannelDependencies none = looked_at(enough / 2), all = looked_at(enough);
    EXPECT_TRUE(none.too_many_paths);
    EXPECT_EQ(none.dependencies, 0);
    EXPECT_FALSE(all.too_many_paths);
    EXPECT_GT(all.dependencies, 0);
  }
}

TEST(Verdict, AgreesWithTheory) {
  for (const RoutedNetwork& routed : routed_networks()) {
    SCOPED_TRACE(name_of(routed));
    const ChannelDependencies found = verdict(*routed.network, function_of(routed));
    EXPECT_EQ(found.acyclic(), routed.acyclic);
    EXPECT_EQ(found.extended, routed.function == "adaptive" || routed.function == "min-adaptive" ||
                                  routed.function == "up-down-adaptive");
    EXPECT_FALSE(found.lost);
    EXPECT_FALSE(found.astray);
    EXPECT_FALSE(found.without_escape);
    EXPECT_GE(found.longest, routed.network->graph.diameter());
    // On an express mesh the shortest paths may pass their destination and return.
    const bool minimal = routed.keys.empty() && routed.network->topology != "express-mesh" &&
                         routed.function.find("valiant") == std::string::npos && routed.function.find("up-down") != 0 &&
                         routed.function != "dragonfly-minimal" && routed.function != "ugal" &&
                         routed.function != "nue";
    if (minimal) {
      EXPECT_EQ(found.longest, routed.network->graph.diameter());
    }
  }
}

// Without the rule that preferred channels have room, packets wait for them as well: an escape channel does not help,
// but functions without cycles in any of their channels are as before.
TEST(Verdict, HeadsThatRequestAllChoicesHaveNoEscape) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  for (const auto& [function, channels, acyclic] :
       {std::tuple("adaptive", 2, false), std::tuple("min-adaptive", 2, false), std::tuple("planar-adaptive", 3, true),
        std::tuple("west-first", 1, true), std::tuple("odd-even", 1, true)}) {
    const ChannelDependencies found =
        *channel_dependencies(mesh.graph, Routed(made_function(function, mesh, channels), true));
    EXPECT_EQ(found.acyclic(), acyclic) << function;
    EXPECT_FALSE(found.extended || found.without_escape) << function;
    EXPECT_EQ(found.longest, mesh.graph.diameter()) << function;
  }
}

// More channels than needed change no verdict: they are never divided further.
TEST(Verdict, DoesNotDependOnHowManyChannelsThereAre) {
  const LinkNetwork& torus = network_of(Grid::torus({5, 4}));
  const ChannelDependencies few = verdict(torus, "adaptive", 3), many = verdict(torus, "adaptive", 9);
  EXPECT_EQ(few.classes, 3);
  EXPECT_EQ(many.classes, 3);
  EXPECT_EQ(few.dependencies, many.dependencies);
}

TEST(Verdict, UpDownIsAcyclicOnAThousandRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const LinkNetwork network = random_network(seed);
    const ChannelDependencies found = verdict(network, "up-down", 1);
    ASSERT_TRUE(found.acyclic()) << seed;
    ASSERT_FALSE(found.lost || found.astray) << seed;
  }
}

// As an escape function, up-down must not be left again: a packet that goes down in escape channels and on over
// others may go up once more.
TEST(Verdict, UpDownAsAnEscapeIsForGood) {
  int unsafe = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const LinkNetwork network = random_network(seed);
    const ChannelDependencies found = verdict(network, "up-down-adaptive", 2);
    ASSERT_TRUE(found.extended) << seed;
    ASSERT_TRUE(found.acyclic()) << seed;
    ASSERT_FALSE(found.lost || found.astray) << seed;
    routing::FunctionContext context;
    context.network = &network;
    auto returning =
        routing::escape(network.graph.ports(), {routing::all_shortest("shortest", context, {1, 1}), {1, 1}},
                        {made_function("up-down", network), {0, 1}}, routing::Stay::may_return);
    const ChannelDependencies other = verdict(network, std::move(returning));
    unsafe += !other.acyclic() || other.astray ? 1 : 0;
  }
  EXPECT_GT(unsafe, 50);
}

/// A function of the table, changed.
class Changed final : public routing::RoutingFunction {
 public:
  using Change = std::function<void(const routing::Head&, routing::Choices&)>;
  Changed(std::unique_ptr<routing::RoutingFunction> function, Change change)
      : function_(std::move(function)), change_(std::move(change)) {}
  void route(const routing::Head& head, routing::Choices& choices) const override {
    function_->route(head, choices);
    change_(head, choices);
  }

 private:
  std::unique_ptr<routing::RoutingFunction> function_;
  Change change_;
};

ChannelDependencies changed(const LinkNetwork& network, const std::string& name, int channels,
                            const Changed::Change& change) {
  return verdict(network, std::make_unique<Changed>(made_function(name, network, channels), change));
}

const LinkNetwork& mesh() { return network_of(Grid::mesh({4, 4})); }

/// Each channel of the circle leads to the next, and its packet may cross both.
void expect_cycle(const NetworkGraph& graph, const ChannelDependencies& found, std::size_t length) {
  ASSERT_EQ(found.cycle.size(), length);
  for (std::size_t i = 0; i < length; ++i) {
    const HeldChannel& channel = found.cycle[i];
    const HeldChannel& next = found.cycle[(i + 1) % length];
    EXPECT_EQ(graph.far_end(channel.node, channel.port).node, next.node);
    const auto [source, destination] = channel.packet;
    EXPECT_EQ(graph.distance(source, channel.node) + 2 +
                  graph.distance(graph.far_end(next.node, next.port).node, destination),
              graph.distance(source, destination));
  }
}

// All turns: four packets that turn in the same direction round a square wait for each other.
TEST(Verdict, WestFirstWithoutItsRuleMayDeadlock) {
  const Grid& grid = *mesh().as<Grid>();
  const auto any_path = [&](const routing::Head& head, routing::Choices& choices) {
    if (head.node == head.destination) return;
    choices.clear();
    for (const int axis : {1, 0})
      if (const std::int32_t offset = grid.offset(head.node, head.destination, axis); offset != 0)
        choices.add(grid.port_along(axis, offset), 0, 1);
  };
  const ChannelDependencies found = changed(mesh(), "west-first", 1, any_path);
  EXPECT_FALSE(found.acyclic());
  EXPECT_FALSE(found.extended);
  expect_cycle(mesh().graph, found, 4);
}

TEST(Verdict, AStateWithoutEscapeIsNamed) {
  const auto no_escape_at_5 = [](const routing::Head& head, routing::Choices& choices) {
    if (head.node != 5 || head.destination != 15) return;
    const routing::Choice kept = *choices.begin();
    choices.clear();
    choices.add(kept.port, kept.first, kept.count, 1);
  };
  const ChannelDependencies found = changed(mesh(), "adaptive", 2, no_escape_at_5);
  EXPECT_FALSE(found.acyclic());
  ASSERT_TRUE(found.without_escape);
  EXPECT_EQ(found.without_escape->node, 5);
  EXPECT_EQ(found.without_escape->packet.destination, 15);
}

// Escape channels that lead x first for some destinations and y first for the others: each order alone is acyclic.
TEST(Verdict, EscapeChannelsInTwoOrdersMayDeadlock) {
  const Grid& grid = *mesh().as<Grid>();
  const auto yx_for_odd = [&](const routing::Head& head, routing::Choices& choices) {
    if (head.node == head.destination || head.destination % 2 == 0) return;
    const std::vector<routing::Choice> before(choices.begin(), choices.end());
    choices.clear();
    for (const routing::Choice& choice : before)
      if (choice.priority > 0) choices.add(choice.port, choice.first, choice.count, choice.priority);
    const std::int32_t down = grid.offset(head.node, head.destination, 0);
    choices.add(down != 0 ? grid.port_along(0, down) : before.front().port, 0, 1);
  };
  const ChannelDependencies found = changed(mesh(), "adaptive", 2, yx_for_odd);
  EXPECT_TRUE(found.extended);
  EXPECT_FALSE(found.acyclic());
}

// Only indirect dependencies close this cycle: on a ring of 8 whose escape channels end at node 0 and begin there
// anew, packets that cross that node over other channels hold one after it and request one before it.
TEST(Verdict, IndirectDependenciesCount) {
  const LinkNetwork& cycle = ring(8);
  class OneWay final : public routing::RoutingFunction {
   public:
    explicit OneWay(bool other_channels) : other_channels_(other_channels) {}
    void route(const routing::Head& head, routing::Choices& choices) const override {
      if (head.node == head.destination) return choices.add(2, 0, 3);
      if (other_channels_) choices.add(0, 2, 1, 1);
      // Before the dateline channel 0, behind it channel 1, by the channel that the packet came over.
      const bool wrapped = head.in_port != 2 && head.in_channel == 1;
      choices.add(0, wrapped || head.node == 0 ? 1 : 0, 1);
    }
    bool other_channels_;
  };
  EXPECT_TRUE(verdict(cycle, std::make_unique<OneWay>(false)).acyclic());
  const ChannelDependencies found = verdict(cycle, std::make_unique<OneWay>(true));
  EXPECT_TRUE(found.extended);
  EXPECT_FALSE(found.acyclic()) << "behind the other channels, nobody knows any more that the packet has wrapped";
}

// A function in two phases is analysed phase by phase: with the same answers as for every random choice of packets.
TEST(Verdict, OfTwoLegsIsThatOfAllDraws) {
  class AllDraws final : public routing::RoutingFunction {
   public:
    explicit AllDraws(std::unique_ptr<routing::RoutingFunction> function) : function_(std::move(function)) {}
    void route(const routing::Head& head, routing::Choices& choices) const override { function_->route(head, choices); }
    std::uint32_t random_choices() const override { return function_->random_choices(); }

   private:
    std::unique_ptr<routing::RoutingFunction> function_;
  };
  for (const auto& [network, name, channels] :
       {std::tuple(&mesh(), "valiant", 2), std::tuple(&network_of(Grid::mesh({3, 5})), "valiant", 3),
        std::tuple(&network_of(Grid::torus({5, 4})), "valiant", 4), std::tuple(&ring(7), "valiant", 4),
        std::tuple(&concentrated_mesh({3, 4}, 2), "valiant", 2),
        std::tuple(&flattened_butterfly({3, 4}, 2), "valiant", 2),
        std::tuple(&dragonfly(5, 2, 2), "dragonfly-valiant", 3), std::tuple(&dragonfly(5, 2, 2), "ugal", 3),
        std::tuple(&dragonfly(4, 3, 1), "dragonfly-valiant", 3)}) {
    SCOPED_TRACE(network->title + " of " + std::to_string(network->graph.nodes()) + " nodes");
    const auto function = [&, &network = network, &name = name, &channels = channels] {
      return made_function(name, *network, channels);
    };
    ASSERT_TRUE(function()->in_phases());
    const ChannelDependencies phases = verdict(*network, function());
    const ChannelDependencies random_choices = verdict(*network, std::make_unique<AllDraws>(function()));
    EXPECT_EQ(phases.acyclic(), random_choices.acyclic());
    EXPECT_EQ(phases.classes, random_choices.classes);
    EXPECT_EQ(phases.channels, random_choices.channels);
    EXPECT_EQ(phases.dependencies, random_choices.dependencies);
    if (phases.farthest.source != no_node) {
      EXPECT_EQ(phases.longest, random_choices.longest);
    } else {
      EXPECT_GT(phases.longest, random_choices.longest);
    }
    EXPECT_EQ(phases.farthest.source == no_node, network->topology == "concentrated-mesh");
  }
}

// With random choices between source and destination, all combinations of phases are more than the paths of packets.
TEST(Verdict, OfPhasesThatDependOnEachOtherIsABoundInLargeNetworks) {
  const LinkNetwork& network = network_of(Grid::mesh({8, 7}));
  const Routed algorithm(made_function("romm", network, 2));
  const auto found = [&](std::size_t most) { return *channel_dependencies(network.graph, algorithm, most); };
  std::size_t enough = 1;
  while (found(enough).too_many_paths) enough *= 2;
  const ChannelDependencies bound = found(enough), exact = found(100 * enough);
  EXPECT_TRUE(bound.acyclic() && exact.acyclic());
  EXPECT_EQ(exact.longest, network.graph.diameter());
  EXPECT_EQ(bound.longest, 2 * network.graph.diameter() - 1) << "not back to the source";
  EXPECT_EQ(bound.farthest.source, no_node);
  EXPECT_EQ(bound.channels, exact.channels);
  EXPECT_GT(bound.dependencies, exact.dependencies) << "turns between the phases that no packet makes";
}

TEST(Verdict, PacketsThatAreLostOrGoAstrayAreNamed) {
  const auto hole = [](const routing::Head& head, routing::Choices& choices) {
    if (head.node == 6 && head.destination == 2) choices.clear();
  };
  const ChannelDependencies lost = changed(mesh(), "dimension-order", 1, hole);
  ASSERT_TRUE(lost.lost);
  EXPECT_EQ(lost.lost->node, 6);
  EXPECT_EQ(lost.lost->packet.destination, 2);
  const auto back_and_forth = [](const routing::Head& head, routing::Choices& choices) {
    if (head.destination != 3 || head.node > 2) return;
    choices.clear();
    choices.add(head.node == 1 ? 3 : 1, 0, 1);  // west from node 1, else east
  };
  const ChannelDependencies astray = changed(mesh(), "dimension-order", 1, back_and_forth);
  ASSERT_TRUE(astray.astray);
  EXPECT_EQ(astray.astray->packet.destination, 3);
}

}  // namespace
}  // namespace starloom::links

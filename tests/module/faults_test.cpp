// SPDX-License-Identifier: Apache-2.0
/// \file Networks with dead hardware: netlist and reference simulator agree, and a static fault is a network without
/// that hardware.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/topology/faults.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

std::unique_ptr<Algorithm> routed(const std::string& name, const LinkNetwork& network, const Faults& faults,
                                  const Keys& keys) {
  AlgorithmContext context{&network};
  context.faults = &faults;
  return make_algorithm(tested_algorithm(name), context, keys);
}

/// Dead cables, one-way links, and now and then a router.
Faults random_faults(const LinkNetwork& network, Dice& dice) {
  Faults faults(network.graph);
  const std::vector<Cable> cables = cables_of(network.graph);
  for (int i = 1 + dice.below(4); i > 0; --i) {
    const Cable& cable = cables[static_cast<std::size_t>(dice.below(static_cast<int>(cables.size())))];
    if (dice.one_in(3)) faults.kill_link(cable.lower);
    else faults.kill_cable(cable);
  }
  if (dice.one_in(3)) faults.kill_router(dice.below(network.graph.nodes()));
  return faults;
}

/// Packets that are not lost.
std::vector<Packet> packets_of(const LinkNetwork& network, const Faults& faults, const Algorithm& algorithm, Dice& dice,
                               int most_flits) {
  std::vector<Packet> packets;
  const routing::PairsWithoutPath* const lost = algorithm.without_path();
  for (int i = 0; i < 200; ++i) {
    const NodeId source = dice.below(network.graph.nodes()), destination = dice.below(network.graph.nodes());
    if (faults.processor_is_dead(source) || faults.processor_is_dead(destination) ||
        (lost != nullptr && lost->contains(source, destination)))
      continue;
    packets.push_back({source, destination, 1 + dice.below(most_flits), i / 10});
  }
  return packets;
}

TEST(NetworksWithFaults, AreInLockstep) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  const std::vector<std::pair<const LinkNetwork*, std::string>> routes = {{&mesh, "up-down"},
                                                                          {&mesh, "west-first"},
                                                                          {&mesh, "odd-even"},
                                                                          {&mesh, "min-adaptive"},
                                                                          {&mesh, "valiant"},
                                                                          {&mesh, "legal-ways"},
                                                                          {&mesh, "layered"},
                                                                          {&torus, "up-down"},
                                                                          {&torus, "valiant"},
                                                                          {&torus, "adaptive"},
                                                                          {&torus, "layered"},
                                                                          {&torus, "legal-ways"},
                                                                          {&mesh, "nue"},
                                                                          {&torus, "nue"},
                                                                          {&mesh, "yx, backup"},
                                                                          {&long_mesh, "min-adaptive"},
                                                                          {&torus, "dimension-order, backup"}};
  int seed = 0;
  for (const auto& [network, function] : routes) {
    Dice dice(static_cast<std::uint64_t>(++seed));
    Faults faults = random_faults(*network, dice);
    for (const Cable& cable : cables_of(network->graph)) {
      if (dice.one_in(3)) faults.kill_channel(cable.lower, dice.below(4));
      if (dice.one_in(2)) faults.remove_places(cable.lower, dice.below(4), 1 + dice.below(3));
    }
    const std::size_t comma = function.find(',');
    Keys keys = {{"function", function.substr(0, comma)},
                 {"channels", std::int64_t{4}},
                 {"buffer", std::int64_t{4 + dice.below(3)}}};
    if (comma != std::string::npos) keys["backup"] = std::string("up-down");
    const auto algorithm = routed("vc-wormhole", *network, faults, keys);
    const std::vector<Packet> packets = packets_of(*network, faults, *algorithm, dice, 5);
    SCOPED_TRACE(function + " on " + network->title + ", " + std::to_string(packets.size()) + " packets");
    EXPECT_GT(packets.size(), 30u);
    EXPECT_EQ(expect_lockstep(*network, *algorithm, packets, 3, 20'000, seed % 2 == 0 ? 0 : 0.1, "least-occupied",
                              plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

// A channel of which some places are dead is free again with the credits of the others.
TEST(NetworksWithFaults, AreInLockstepIfChannelsWaitForTheCreditOfTheTail) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}));
  Dice dice(9);
  Faults faults(mesh.graph);
  for (const Cable& cable : cables_of(mesh.graph)) faults.remove_places(cable.upper, dice.below(2), 1 + dice.below(3));
  const Keys keys = {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{4}}, {"wait_for_tail_credit", true}};
  const auto algorithm = routed("vc-wormhole", mesh, faults, keys);
  EXPECT_EQ(expect_lockstep(mesh, *algorithm, packets_of(mesh, faults, *algorithm, dice, 6), 4, 20'000, 0,
                            "least-occupied", plain_rules(keys)),
            StepperEnd::all_delivered);
}

TEST(NetworksWithFaults, AreInLockstepWithGreedy) {
  const LinkNetwork& mesh = network_of(Grid::mesh({5, 5}));
  int seed = 20;
  for (const char* function : {"dimension-order", "up-down", "shortest", "yx"}) {
    Dice dice(static_cast<std::uint64_t>(++seed));
    const Faults faults = random_faults(mesh, dice);
    const auto algorithm = routed("greedy", mesh, faults, {{"function", std::string(function)}});
    SCOPED_TRACE(function);
    EXPECT_EQ(expect_lockstep(mesh, *algorithm, packets_of(mesh, faults, *algorithm, dice, 1), 5, 20'000),
              StepperEnd::all_delivered);
  }
}

TEST(NetworksWithFaults, AreInLockstepWithDeflection) {
  for (const Grid& grid : {Grid::mesh({5, 5}), Grid::torus({4, 5})})
    for (const char* priority : {"rank", "restricted"}) {
      SCOPED_TRACE(priority);
      const LinkNetwork& network = network_of(grid);
      Dice dice(static_cast<std::uint64_t>(grid.nodes()));
      Faults faults(network.graph);
      for (const Cable& cable : random_cables(cables_of(network.graph), std::int64_t{6}, 3)) faults.kill_cable(cable);
      faults.kill_router(7);
      const auto algorithm = routed("deflection", network, faults, {{"priority", std::string(priority)}});
      const std::vector<Packet> packets = packets_of(network, faults, *algorithm, dice, 1);
      EXPECT_GT(packets.size(), 100u);
      EXPECT_EQ(expect_lockstep(network, *algorithm, packets, 5, 20'000), StepperEnd::all_delivered);
    }
}

/// The same graph without its dead links, built anew. Ports keep their numbers.
LinkNetwork rebuilt(const LinkNetwork& network, const Faults& faults) {
  const NetworkGraph& graph = network.graph;
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < graph.nodes(); ++node) builder.add_node(graph.role(node), graph.node_name(node));
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node))
      if (!faults.link_is_dead(node, port)) builder.add_link(LinkEnd{node, port}, graph.far_end(node, port));
  return {"a network without its dead links", builder.build(), {}, "graph"};
}

TEST(NetworksWithFaults, AreNetworksWithoutTheDeadLinks) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}));
  for (int seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Faults faults(mesh.graph);
    for (const Cable& cable : random_cables(cables_of(mesh.graph), std::int64_t{3}, static_cast<std::uint64_t>(seed)))
      faults.kill_cable(cable);
    if (parts_of(faults, faults.left()).count > 1) continue;
    const LinkNetwork& without = kept(rebuilt(mesh, faults));
    for (const char* function : {"up-down", "shortest"}) {
      // Other disciplines depend on distances, which are those of the whole network.
      const Keys keys = {{"function", std::string(function)}, {"discipline", std::string("fifo")}};
      const auto faulty = routed("greedy", mesh, faults, keys);
      const auto smaller = named_algorithm("greedy", without, keys);
      Dice dice(static_cast<std::uint64_t>(seed));
      const std::vector<Packet> packets = packets_of(mesh, faults, *faulty, dice, 1);
      ListSource first(packets), second(packets);
      const NetlistRun one = run_netlist(mesh, *faulty, first), other = run_netlist(without, *smaller, second);
      EXPECT_EQ(one.record.delivered, other.record.delivered) << function;
      EXPECT_EQ(one.record.flit_hops, other.record.flit_hops) << function;
    }
  }
}

}  // namespace
}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
/// \file Processors without routers: netlist, reference model and referee agree on every family whose processors are
/// connected to switches, and the times are those of a local port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/core/random.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "support/list_source.hpp"
#include "support/netlist_run.hpp"
#include "support/shortest_router.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LinkNetwork graph_network(const char* title, NetworkGraph graph) { return {title, std::move(graph), {}, "graph"}; }

/// Two processors at each of two switches, links with latencies and intervals; and a processor between the switches,
/// with a router of its own.
LinkNetwork uneven_network() {
  NetworkGraphBuilder builder;
  for (const char* name : {"p0", "p1", "p2", "p3", "between"}) builder.add_node(NodeRole::processor, name);
  for (const char* name : {"left", "right"}) builder.add_node(NodeRole::switch_node, name);
  const auto both = [&](NodeId a, NodeId b, LinkTiming timing) {
    builder.add_link(a, b, timing);
    builder.add_link(b, a, timing);
  };
  both(0, 5, {});
  both(1, 5, {3, 1});
  both(2, 6, {1, 3});
  both(3, 6, {2, 2});
  both(5, 4, {2, 2});
  both(4, 6, {1, 4});
  return graph_network("uneven", builder.build());
}

std::vector<LinkNetwork> networks_with_terminals() {
  std::vector<LinkNetwork> all;
  all.push_back(graph_network("fat tree", make_fat_tree(FatTree(2, 3))));
  all.push_back(graph_network("fat tree, latency 2", make_fat_tree(FatTree(3, 2), 2)));
  all.push_back(graph_network("concentrated mesh", make_concentrated_mesh(ConcentratedMesh({3, 2}, 3))));
  all.push_back(graph_network("flattened butterfly", make_flattened_butterfly(FlattenedButterfly({3, 2}, 2))));
  all.push_back(graph_network("dragonfly", make_dragonfly(Dragonfly(5, 2, 2))));
  all.push_back(graph_network("butterfly", make_butterfly(Butterfly(2, 3))));
  all.push_back(uneven_network());
  return all;
}

/// Bursts from all processors to all, themselves included.
std::vector<Packet> bursts_of_worms(const NetworkGraph& graph, std::uint64_t seed, std::int32_t flits) {
  std::vector<Packet> packets;
  for (Step created = 0; created < 12; created += 3)
    for (NodeId p = 0; p < graph.processors(); ++p) {
      RandomStream dice(seed, Purpose::destination, p, created);
      Packet packet;
      packet.source = graph.processor(p);
      packet.destination =
          graph.processor(static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(graph.processors()))));
      packet.flits = 1 + static_cast<std::int32_t>(dice.bounded(static_cast<std::uint32_t>(flits)));
      packet.created = created;
      packets.push_back(packet);
    }
  return packets;
}

std::string verdict_of_routers(const LinkNetwork& network, const Algorithm& algorithm, const NetlistRun& run) {
  RefereeRules rules;
  rules.storage = RefereeRules::Storage::virtual_channels;
  rules.channels = algorithm.declaration().channels;
  rules.capacity = algorithm.declaration().capacity;
  rules.routes_own = true;
  rules.router = router_rules(algorithm.declaration().pipelines);
  rules.router->credit_extra = algorithm.declaration().credit_extra;
  rules.router->waits_for_tail_credit = algorithm.declaration().waits_for_tail_credit;
  Referee referee(network.graph, rules);
  referee.packets(run.record.packets);
  auto row = run.rows.begin();
  auto credit = run.credits.begin();
  while (row != run.rows.end() || credit != run.credits.end()) {
    const bool has_credit = credit != run.credits.end() && (row == run.rows.end() || credit->step <= row->step);
    const Step step = has_credit ? credit->step : row->step;
    std::vector<CreditRow> words;
    for (; credit != run.credits.end() && credit->step == step; ++credit) words.push_back(*credit);
    referee.rows(words);
    std::vector<TraceRow> together;
    for (; row != run.rows.end() && row->step == step; ++row) together.push_back(*row);
    referee.rows(together);
  }
  referee.finish(run.record.delivered, run.end == StepperEnd::all_delivered);
  return referee.violation().text;
}

/// Netlist and stepper, in any order, and the referee.
void agree_on_terminals(const LinkNetwork& network, const Algorithm& algorithm, const std::vector<Packet>& packets,
                        double stall_rate = 0) {
  ListSource for_stepper(packets);
  StepperOptions plainly;
  plainly.stall_rate = stall_rate;
  const StepperResult plain = run_stepper(network, algorithm, for_stepper, plainly);
  EXPECT_FALSE(plain.violation);
  for (int variant = 0; variant < 4; ++variant) {
    SCOPED_TRACE(network.title + ", variant " + std::to_string(variant));
    ListSource for_netlist(packets);
    NetlistRunOptions options;
    options.network.shuffle = variant == 1 ? 17 : 0;
    options.network.wake_all = variant == 2;
    options.network.threads = variant == 3 ? 3 : 1;
    options.network.stall_rate = stall_rate;
    const NetlistRun run = run_netlist(network, algorithm, for_netlist, options);
    ASSERT_EQ(run.end, plain.end) << run.violation.text;
    ASSERT_EQ(run.rows, plain.rows);
    ASSERT_EQ(run.credits, plain.credits);
    EXPECT_EQ(run.record.delivered, plain.record.delivered);
    EXPECT_EQ(run.record.injected, plain.record.injected);
    EXPECT_EQ(run.record.link_load, plain.record.link_load);
    EXPECT_EQ(run.record.flit_hops, plain.record.flit_hops);
    EXPECT_EQ(run.record.queue.max, plain.record.queue.max);
    EXPECT_EQ(run.record.queue.node, plain.record.queue.node);
    EXPECT_EQ(run.record.queue.step, plain.record.queue.step);
    ASSERT_EQ(verdict_of_routers(network, algorithm, run), "");
  }
}

TEST(Terminals, AreProcessorsWithOneLinkToASwitch) {
  for (const LinkNetwork& network : networks_with_terminals()) {
    const bool is_uneven = network.title == "uneven";
    for (NodeId node = 0; node < network.graph.nodes(); ++node)
      EXPECT_EQ(network.graph.is_terminal(node), node < network.graph.processors() - (is_uneven ? 1 : 0))
          << network.title << " " << node;
  }
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  builder.add_link(0, 1);
  builder.add_link(1, 0);
  const NetworkGraph pair = builder.build();
  EXPECT_FALSE(pair.is_terminal(0)) << "no switch";
}

TEST(Terminals, AreInLockstep) {
  for (const LinkNetwork& network : networks_with_terminals())
    for (const auto& [channels, buffer, cycles] : {std::tuple(1, 8, 3), std::tuple(2, 2, 4), std::tuple(3, 1, 5)})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const ShortestRouter algorithm(network.graph, channels, buffer, *router::Pipeline::of(cycles, cycles == 3));
        agree_on_terminals(network, algorithm, bursts_of_worms(network.graph, seed, 5));
        if (HasFatalFailure()) return;
      }
}

TEST(Terminals, AreInLockstepWhereLinksStall) {
  for (const LinkNetwork& network : networks_with_terminals()) {
    const ShortestRouter algorithm(network.graph, 2, 4);
    agree_on_terminals(network, algorithm, bursts_of_worms(network.graph, 5, 4), 0.4);
    if (HasFatalFailure()) return;
  }
}

TEST(Terminals, HaveTheTimesOfALocalPort) {
  const LinkNetwork network = graph_network("fat tree", make_fat_tree(FatTree(2, 2)));
  const ShortestRouter algorithm(network.graph, 1, 8);
  Packet packet;
  packet.source = 0;
  packet.destination = 1;
  ListSource source({packet});
  const NetlistRun run = run_netlist(network, algorithm, source);
  const NodeId at = network.graph.far_end(0, 0).node;
  // Readable in step 2, through the switch in 2, on the link in 4.
  EXPECT_THAT(run.rows, ElementsAre(TraceRow{0, TraceEvent::inject, 0, 0, 0, no_port, no_node, 0},
                                    TraceRow{1, TraceEvent::hop, 0, 0, 0, 0, at, 0},
                                    TraceRow{4, TraceEvent::hop, 0, 0, at, 1, 1, 0},
                                    TraceRow{5, TraceEvent::eject, 0, 0, 1, no_port, no_node, -1}));
  EXPECT_THAT(run.credits, ElementsAre(CreditRow{3, at, 0, 0}));
}

/// Each processor at a switch sends and receives one flit per step, however many there are.
TEST(Terminals, SendAndReceiveAFlitAStepEach) {
  const LinkNetwork network = graph_network("one switch", make_concentrated_mesh(ConcentratedMesh({1, 1}, 4)));
  const ShortestRouter algorithm(network.graph, 1, 8);
  std::vector<Packet> packets;
  for (NodeId p = 0; p < 4; ++p) {
    Packet packet;
    packet.source = p;
    packet.destination = (p + 1) % 4;
    packet.flits = 100;
    packets.push_back(packet);
  }
  ListSource source(packets);
  const NetlistRun run = run_netlist(network, algorithm, source);
  EXPECT_THAT(run.record.delivered, ElementsAre(104, 104, 104, 104));
}

}  // namespace
}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
/// \file Foreign modules with processes of their own, and calls from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include <starloom/referee/links/referee.hpp>
#include "support/fresh_context.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/report_text.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;

/// A user's module: sends every packet that is addressed to its node back to where it came from.
class Echo final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Echo);
  sc_core::sc_port<NodeAccess> node;

  explicit Echo(const sc_core::sc_module_name& name) : sc_module(name), node("node") { SC_THREAD(run); }

 private:
  void run() {
    for (;;) {
      wait(node->arrived());
      Flit flit;
      while (node->take(flit)) {
        EXPECT_EQ(flit.destination, node->node_id()) << "it did not ask for what passes through";
        node->send(node->packet(flit.packet).source);
      }
    }
  }
};

/// A network of `greedy` with foreign nodes, watched by a referee.
struct Outside {
  explicit Outside(const Grid& topology, std::vector<NodeId> foreign, NetworkOptions options = {})
      : grid(topology), referee(network_of(grid).graph, rules(foreign)) {
    options.foreign = std::move(foreign);
    network = std::make_unique<Network>("network", network_of(grid), *algorithm, options);
    network->fabric.on_created([this](const std::vector<Packet>& packets) { referee.packets(packets); });
    network->fabric.set_sinks({&collector, &referee});
  }

  static RefereeRules rules(const std::vector<NodeId>& foreign) {
    RefereeRules rules;
    rules.foreign = foreign;
    return rules;
  }
  const RunRecord& record() const { return network->fabric.engine().record(); }
  std::vector<Step> created() const {
    std::vector<Step> steps;
    for (const Packet& packet : record().packets) steps.push_back(packet.created);
    return steps;
  }
  void expect_referee_accepts() {
    referee.finish(record().delivered, true);
    EXPECT_TRUE(referee.ok()) << referee.violation().text;
  }

  const Grid grid;
  const std::unique_ptr<Algorithm> algorithm = named_algorithm("greedy", grid);
  Referee referee;
  RowCollector collector;
  std::unique_ptr<Network> network;
};

/// Every node but the middle one of nine sends a packet to it and one to the node across.
std::vector<Packet> to_and_through_the_middle() {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 9; ++node)
    if (node != 4) {
      packets.push_back({node, 4, 1, 0});
      packets.push_back({node, 8 - node, 1, node % 3});
    }
  return packets;
}

TEST(ForeignNode, EchoesEveryPacketAndTheRefereeAccepts) {
  std::vector<TraceRow> first;
  for (const std::uint64_t shuffle : {0, 1, 2}) {
    for (const bool wake_all : {false, true}) {
      fresh_context();
      NetworkOptions options;
      options.shuffle = shuffle;
      options.wake_all = wake_all;
      Outside net(Grid::mesh({3, 3}), {4}, options);
      ListSource source(to_and_through_the_middle());
      net.network->fabric.set_source(&source, no_step);
      Echo echo("echo");
      echo.node.bind(net.network->socket(4));
      sc_core::sc_start();

      net.expect_referee_accepts();
      const RunRecord& record = net.record();
      ASSERT_EQ(record.packets.size(), 16u + 8u);
      std::vector<NodeId> echoed;
      for (const Packet& packet : record.packets)
        if (packet.source == 4) echoed.push_back(packet.destination);
      EXPECT_THAT(echoed, testing::UnorderedElementsAre(0, 1, 2, 3, 5, 6, 7, 8));
      for (const TraceRow& row : net.collector.all) EXPECT_NE(row.event, TraceEvent::store) << row_text(row);
      if (first.empty()) first = net.collector.all;
      EXPECT_EQ(net.collector.all, first);
    }
  }
}

// To a network it makes no difference who is behind a node.
TEST(ForeignNode, LetsTransitPassWithoutAnExtraStep) {
  for (const char* name : {"greedy", "three-phase"}) {
    const Grid grid = Grid::mesh({3, 3});
    const auto algorithm = named_algorithm(name, grid);
    std::vector<std::vector<TraceRow>> rows;
    for (const bool foreign : {false, true}) {
      fresh_context();
      NetworkOptions options;
      if (foreign) options.foreign = {1, 4};
      Network network("network", network_of(grid), *algorithm, options);
      ListSource source(
          {{0, 8, 1, 0}, {3, 5, 1, 0}, {1, 7, 1, 0}, {5, 3, 1, 0}, {7, 1, 1, 0}, {8, 4, 1, 0}, {4, 0, 1, 0}});
      RowCollector collector;
      network.fabric.set_source(&source, no_step);
      network.fabric.set_sinks({&collector});
      sc_core::sc_start();
      EXPECT_EQ(network.fabric.engine().record().delivered_count, 7) << name;
      rows.push_back(collector.all);
      std::vector<NodeId> taken;
      Flit flit;
      while (foreign && network.socket(4).take(flit)) taken.push_back(network.socket(4).packet(flit.packet).source);
      EXPECT_EQ(taken, foreign ? std::vector<NodeId>{8} : std::vector<NodeId>{}) << name;
    }
    EXPECT_EQ(rows[0], rows[1]) << name;
  }
}

// Traffic that passes through is stored, seen, and sent again in the next step; afterwards it passes as before.
TEST(ForeignNode, SeesTransitIfItAsks) {
  for (const bool wake_all : {false, true}) {
    fresh_context();
    NetworkOptions options;
    options.wake_all = wake_all;
    Outside net(Grid::mesh({1, 3}), {1}, options);
    ListSource source({{0, 2, 1, 5}, {2, 0, 1, 20}});
    net.network->fabric.set_source(&source, no_step);
    NodeAccess& node = net.network->socket(1);
    node.see_transit(true);
    sc_core::sc_start(10, SC_NS);
    Flit flit;
    ASSERT_TRUE(node.take(flit));
    EXPECT_EQ(flit.packet, 0);
    EXPECT_EQ(flit.destination, 2);
    node.see_transit(false);
    sc_core::sc_start(100, SC_NS);
    EXPECT_FALSE(node.take(flit));
    EXPECT_THAT(row_texts(net.collector.all),
                ElementsAre("5,inject,0,0,0,,", "5,hop,0,0,0,1,1", "6,store,0,0,1,,", "7,inject,0,0,1,,",
                            "7,hop,0,0,1,1,2", "8,eject,0,0,2,,", "20,inject,1,0,2,,", "20,hop,1,0,2,3,1",
                            "21,hop,1,0,1,3,0", "22,eject,1,0,0,,"));
    net.expect_referee_accepts();
  }
}

// While it sees transit, its own packets and those of others share its links.
TEST(ForeignNode, SendsWhileItSeesTransit) {
  std::vector<TraceRow> first;
  for (const std::uint64_t shuffle : {0, 3}) {
    fresh_context();
    NetworkOptions options;
    options.shuffle = shuffle;
    Outside net(Grid::mesh({3, 3}), {4}, options);
    ListSource source(to_and_through_the_middle());
    net.network->fabric.set_source(&source, no_step);
    NodeAccess& node = net.network->socket(4);
    node.see_transit(true);
    for (NodeId destination = 0; destination < 9; ++destination) node.send(destination);
    sc_core::sc_start();
    EXPECT_EQ(net.record().delivered_count, 16 + 9);
    std::int64_t taken = 0;
    for (Flit flit; node.take(flit);) ++taken;
    const auto stored = std::count_if(net.collector.all.begin(), net.collector.all.end(),
                                      [](const TraceRow& row) { return row.event == TraceEvent::store; });
    EXPECT_GE(stored, 2);
    EXPECT_EQ(taken, 8 + stored);
    net.expect_referee_accepts();
    if (first.empty()) first = net.collector.all;
    EXPECT_EQ(net.collector.all, first);
  }
}

TEST(ForeignNode, AnEchoIsCreatedInTheStepAfterTheArrival) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {2});
  ListSource source({{0, 2, 1, 7}});
  net.network->fabric.set_source(&source, no_step);
  Echo echo("echo");
  echo.node.bind(net.network->socket(2));
  sc_core::sc_start();
  EXPECT_THAT(row_texts(net.collector.all),
              ElementsAre("7,inject,0,0,0,,", "7,hop,0,0,0,1,1", "8,hop,0,0,1,1,2", "9,eject,0,0,2,,",
                          "10,inject,1,0,2,,", "10,hop,1,0,2,3,1", "11,hop,1,0,1,3,0", "12,eject,1,0,0,,"));
  net.expect_referee_accepts();
}

TEST(ForeignNode, IsRefusedInOtherStorageModels) {
  fresh_context();
  const Grid grid = Grid::mesh({2, 2});
  NetworkOptions options;
  options.foreign = {1};
  int nets = 0;
  for (const char* name : {"probe-hold", "vc-wormhole"}) {
    const auto algorithm = named_algorithm(name, grid);
    const std::string net = "net" + std::to_string(++nets);
    EXPECT_EQ(report_text([&] { const Network network(net.c_str(), network_of(grid), *algorithm, options); }),
              "/starloom/netlist: node_r00_c01: a foreign node needs a store-and-forward algorithm");
  }
}

TEST(ForeignNode, IsRefusedInNetworksOfLargeNodes) {
  fresh_context();
  NetworkGraphBuilder builder;
  const NodeId hub = builder.add_node(NodeRole::processor, "hub");
  for (int p = 0; p < 33; ++p) {
    const NodeId other = builder.add_node(NodeRole::processor, "p" + std::to_string(p));
    builder.add_link(hub, other);
    builder.add_link(other, hub);
  }
  const LinkNetwork network{"a star", builder.build(), {}, "graph"};
  const auto algorithm = named_algorithm("greedy", network, {{"function", std::string("shortest")}});
  NetworkOptions options;
  options.foreign = {1};
  EXPECT_EQ(report_text([&] { const Network net("net", network, *algorithm, options); }),
            "/starloom/netlist: p0: a foreign node needs a network whose nodes have at most 32 ports, but there are "
            "nodes of 33 ports");
}

// ---- when a call takes effect

/// Sends a packet from its node at each of a list of times, `deltas` delta cycles after everything else wakes up there.
class Caller final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Caller);
  sc_core::sc_port<NodeAccess> node;

  Caller(const sc_core::sc_module_name& name, std::vector<double> times, int deltas)
      : sc_module(name), node("node"), times_(std::move(times)), deltas_(deltas) {
    SC_THREAD(run);
  }

 private:
  void run() {
    for (const double time : times_) {
      const sc_time at(time, SC_NS);
      if (at > sc_core::sc_time_stamp()) wait(at - sc_core::sc_time_stamp());
      for (int i = 0; i < deltas_; ++i) wait(sc_core::SC_ZERO_TIME);
      node->send(0);
    }
  }

  std::vector<double> times_;
  int deltas_;
};

const std::vector<double> call_times = {0, 2.5, 4, 10, 11, 12.999, 1000.2, 5000};

TEST(Call, TakesEffectInTheFirstStepThatBeginsAfterItWithAPeriod) {
  for (int deltas = 0; deltas < 4; ++deltas) {
    fresh_context();
    Outside net(Grid::mesh({2, 3}), {5});
    Caller caller("caller", call_times, deltas);
    caller.node.bind(net.network->socket(5));
    sc_core::sc_start();
    EXPECT_THAT(net.created(), ElementsAre(1, 3, 5, 11, 12, 13, 1001, 5001));
    net.expect_referee_accepts();
  }
}

TEST(Call, TakesEffectAtTheFirstEdgeAfterItWithAClock) {
  for (int deltas = 0; deltas < 4; ++deltas) {
    fresh_context();
    Outside net(Grid::mesh({2, 3}), {5});
    sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
    net.network->fabric.clock.bind(clock);
    Caller caller("caller", call_times, deltas);
    caller.node.bind(net.network->socket(5));
    sc_core::sc_start(6000, SC_NS);
    EXPECT_THAT(net.created(), ElementsAre(1, 3, 5, 11, 12, 13, 1001, 5001));
    net.expect_referee_accepts();
  }
}

TEST(Call, CountsEdgesOfAClockThatStartsLate) {
  fresh_context();
  Outside net(Grid::mesh({2, 3}), {5});
  sc_core::sc_clock clock("clock", sc_time(3, SC_NS), 0.5, sc_time(2.5, SC_NS));  // 2.5, 5.5, 8.5, ...
  net.network->fabric.clock.bind(clock);
  Caller caller("caller", {0, 2.5, 5.4, 5.5, 5.6, 302.5}, 1);
  caller.node.bind(net.network->socket(5));
  sc_core::sc_start(400, SC_NS);
  EXPECT_THAT(net.created(), ElementsAre(0, 1, 1, 2, 2, 101));
}

TEST(Call, WakesAFabricInWhichNothingIsLeftToDo) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {0});
  sc_core::sc_start(100, SC_NS);
  EXPECT_EQ(net.network->fabric.step(), -1);
  net.network->socket(0).send(2);
  sc_core::sc_start(100, SC_NS);
  EXPECT_EQ(net.network->fabric.step(), 103);
  net.network->socket(0).send(1);
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(net.record().delivered, ElementsAre(103, 202));
  net.expect_referee_accepts();
}

TEST(Call, BeforeTheSimulationStartsCountsAsTimeZero) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {0});
  net.network->socket(0).send(2);
  sc_core::sc_start();
  EXPECT_THAT(net.created(), ElementsAre(1));
}

TEST(Call, MayCallInItsTurn) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {});
  Fabric& fabric = net.network->fabric;
  std::vector<Step> steps;
  std::function<void(Engine&, Step)> effect = [&](Engine&, Step step) {
    steps.push_back(step);
    for (int i = 0; i < 3; ++i)
      if (step < 3) fabric.call(effect);
  };
  fabric.call(effect);
  sc_core::sc_start();
  EXPECT_THAT(steps, ElementsAre(1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3));
}

TEST(Call, FromWithinAStepTakesEffectInTheNextOne) {
  for (const bool with_clock : {false, true}) {
    fresh_context();
    Outside net(Grid::mesh({1, 3}), {0});
    sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
    if (with_clock) net.network->fabric.clock.bind(clock);
    ListSource source({{2, 1, 1, 50}});
    net.network->fabric.set_source(&source, no_step);
    NodeAccess& node = net.network->socket(0);
    node.act([&node](FlitView&) { node.send(1); });
    sc_core::sc_start(100, SC_NS);
    EXPECT_THAT(net.created(), ElementsAre(2, 50));
  }
}

TEST(Call, PacketsFromOutsideAreNumberedBySourceThenByOrder) {
  fresh_context();
  Outside net(Grid::mesh({2, 4}), {1, 6});
  ListSource source({{2, 0, 1, 5}, {1, 7, 1, 5}, {7, 0, 1, 5}, {3, 0, 1, 6}});
  net.network->fabric.set_source(&source, no_step);
  sc_core::sc_start(4.5, SC_NS);
  net.network->socket(6).send(4);
  net.network->socket(1).send(3);
  net.network->socket(1).send(2);
  net.network->fabric.create_packet({4, 5, 1, 0});
  sc_core::sc_start(100, SC_NS);
  std::vector<std::array<std::int64_t, 3>> list;
  for (const Packet& packet : net.record().packets) list.push_back({packet.created, packet.source, packet.destination});
  using Row = std::array<std::int64_t, 3>;
  // In one step by source; at one source the packets of the traffic come first.
  EXPECT_THAT(list, ElementsAre(Row{5, 1, 7}, Row{5, 1, 3}, Row{5, 1, 2}, Row{5, 2, 0}, Row{5, 4, 5}, Row{5, 6, 4},
                                Row{5, 7, 0}, Row{6, 3, 0}));
  net.expect_referee_accepts();
}

TEST(Call, APacketForANodeThatIsNotThereIsRefused) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {0});
  EXPECT_EQ(report_text([&] { net.network->socket(0).send(3); }),
            "/starloom/contract: a packet from outside names node 3, but the nodes are 0 to 2");
  EXPECT_EQ(report_text([&] {
              net.network->fabric.create_packet({-1, 0, 1, 0});
            }),
            "/starloom/contract: a packet from outside names node -1, but the nodes are 0 to 2");
}

TEST(Call, APacketForItsOwnNodeIsDeliveredAtOnce) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {0});
  net.network->socket(0).send(0);
  sc_core::sc_start();
  EXPECT_THAT(net.record().delivered, ElementsAre(1));
  net.expect_referee_accepts();
}

// ---- act

TEST(Act, HasTheViewOfAController) {
  fresh_context();
  Outside net(Grid::mesh({3, 3}), {4});
  const Port north = 0;
  std::vector<std::string> seen;
  sc_core::sc_start(20, SC_NS);
  NodeAccess& node = net.network->socket(4);
  // Dimension order would take both packets east; the action sends the first one north, the second follows by itself.
  node.send(5);
  node.send(5);
  node.act([&](FlitView& view) {
    seen.push_back("step " + std::to_string(view.step()) + " node " + std::to_string(view.node()) + " waiting " +
                   std::to_string(view.waiting()));
    view.send(north, view.accept());
  });
  sc_core::sc_start(200, SC_NS);
  EXPECT_THAT(seen, ElementsAre("step 21 node 4 waiting 2"));
  EXPECT_THAT(row_texts(net.collector.all),
              ElementsAre("21,inject,0,0,4,,", "21,hop,0,0,4,0,1", "22,inject,1,0,4,,", "22,hop,0,0,1,1,2",
                          "22,hop,1,0,4,1,5", "23,hop,0,0,2,2,5", "23,eject,1,0,5,,", "24,eject,0,0,5,,"));
  net.expect_referee_accepts();
}

// An arrival in the step of an action belongs to the node: it is routed in the step after.
TEST(Act, KeepsWhatArrives) {
  fresh_context();
  Outside net(Grid::mesh({1, 3}), {1});
  ListSource source({{0, 2, 1, 5}});
  net.network->fabric.set_source(&source, no_step);
  sc_core::sc_start(5.5, SC_NS);
  net.network->socket(1).act([](FlitView& view) { EXPECT_EQ(view.arrived(), 0u); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(row_texts(net.collector.all), ElementsAre("5,inject,0,0,0,,", "5,hop,0,0,0,1,1", "6,store,0,0,1,,",
                                                        "7,inject,0,0,1,,", "7,hop,0,0,1,1,2", "8,eject,0,0,2,,"));
  Flit flit;
  EXPECT_FALSE(net.network->socket(1).take(flit));
  net.expect_referee_accepts();
}

TEST(Act, IsHeldToTheContract) {
  fresh_context();
  Outside net(Grid::mesh({3, 3}), {4});
  net.network->socket(4).send(5);
  net.network->socket(4).act([](FlitView& view) { view.accept(); });
  EXPECT_EQ(report_text([] { sc_core::sc_start(); }),
            "/starloom/contract: step 1: node_r01_c01 lost or doubled a flit: every arrival, and every flit taken from "
            "a buffer or the memory, must be sent, pushed or ejected in the same step");
}

}  // namespace
}  // namespace starloom::links

// SPDX-License-Identifier: Apache-2.0
/// \file Netlists of any shape: separately numbered ports, one-way links, latencies and intervals of each link,
/// switches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "support/function_algorithm.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/networks.hpp"
#include "support/permutations.hpp"
#include "support/shortest_router.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Keys = std::map<std::string, KeyValue>;

/// Four processors around two switches; one-way links, and no in-port has the number of the out-port that it faces.
///
///     p0 -> s4 -> s5 -> p1, p2, p3 -> p0; p1 -> s4, p2 -> p3
///
/// The link between the switches has latency 3 and takes one flit per two steps.
LinkNetwork roundabout() {
  NetworkGraphBuilder builder;
  for (const char* name : {"p0", "p1", "p2", "p3"}) builder.add_node(NodeRole::processor, name);
  for (const char* name : {"s4", "s5"}) builder.add_node(NodeRole::switch_node, name);
  builder.add_link({0, 1}, {4, 0});
  builder.add_link({1, 0}, {4, 2});
  builder.add_link({4, 1}, {5, 3}, {3, 2});
  builder.add_link({5, 0}, {1, 1});
  builder.add_link({5, 1}, {2, 0}, {2, 1});
  builder.add_link({2, 2}, {3, 0});
  builder.add_link({3, 3}, {0, 2});
  builder.add_link({5, 2}, {3, 1});
  return {"roundabout", builder.build(), {}, "roundabout"};
}

/// Packets take a shortest path; one queue per out-port, which waits for the interval of its link.
class ShortestPath final : public FlitController {
 public:
  explicit ShortestPath(const NetworkGraph& graph) : graph_(&graph) {}

  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) take(view, view.arrival(lowest_port(left)));
    while (view.waiting() > 0) take(view, view.accept());
    bool more = false;
    for (Port port = 0; port < view.buffers(); ++port) {
      if (!view.empty(port) && (view.out_ports() >> port & 1) != 0) view.send(port, view.pop(port));
      more = more || !view.empty(port);
    }
    if (more) view.wake_at(view.step() + 1);
  }

  static Port port(const NetworkGraph& graph, NodeId at, NodeId destination) {
    const std::int32_t left = graph.distance(at, destination);
    for (const Port out : graph.out_ports(at)) {
      if (graph.distance(graph.far_end(at, out).node, destination) == left - 1) return out;
    }
    return no_port;
  }

 private:
  void take(FlitView& view, const Flit& flit) {
    if (flit.destination == view.node()) return view.eject(flit);
    view.push(port(*graph_, view.node(), flit.destination), flit, view.step());
  }

  const NetworkGraph* graph_;
};

class ShortestPaths final : public Algorithm {
 public:
  explicit ShortestPaths(const NetworkGraph& graph) : Algorithm(declare()), graph_(graph) {}
  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(ShortestPath(graph_), graph_.nodes());
  }

 private:
  static Declaration declare() {
    Declaration declaration;
    declaration.buffers = BufferSide::out_ports;
    return declaration;
  }
  const NetworkGraph graph_;
};

std::string verdict(const LinkNetwork& network, const NetlistRun& run) {
  Referee referee(network.graph, RefereeRules());
  referee.packets(run.record.packets);
  for (std::size_t i = 0; i < run.rows.size();) {
    std::vector<TraceRow> step;
    for (const Step now = run.rows[i].step; i < run.rows.size() && run.rows[i].step == now; ++i)
      step.push_back(run.rows[i]);
    referee.rows(step);
  }
  referee.finish(run.record.delivered, run.end == StepperEnd::all_delivered);
  return referee.ok() ? "" : referee.violation().text;
}

/// Netlist and stepper, in any order, and the referee.
void agree(const LinkNetwork& network, const Algorithm& algorithm, const std::vector<Packet>& packets) {
  ListSource for_stepper(packets);
  const StepperResult plain = run_stepper(network, algorithm, for_stepper);
  EXPECT_EQ(plain.end, StepperEnd::all_delivered);
  for (int variant = 0; variant < 4; ++variant) {
    SCOPED_TRACE("variant " + std::to_string(variant));
    ListSource for_netlist(packets);
    NetlistRunOptions options;
    options.network.shuffle = variant == 1 ? 17 : 0;
    options.network.wake_all = variant == 2;
    options.network.threads = variant == 3 ? 3 : 1;
    const NetlistRun run = run_netlist(network, algorithm, for_netlist, options);
    EXPECT_EQ(run.rows, plain.rows);
    EXPECT_EQ(run.record.delivered, plain.record.delivered);
    EXPECT_EQ(run.record.link_load, plain.record.link_load);
    EXPECT_EQ(run.record.queue.max, plain.record.queue.max);
    EXPECT_EQ(run.record.queue.node, plain.record.queue.node);
    EXPECT_EQ(run.record.queue.step, plain.record.queue.step);
    EXPECT_EQ(verdict(network, run), "");
  }
}

/// Bursts from all processors to all.
std::vector<Packet> bursts(NodeId processors, std::uint64_t seed) {
  RandomStream dice(seed, Purpose::destination, 0, 0);
  std::vector<Packet> packets;
  const auto n = static_cast<std::uint32_t>(processors);
  for (std::uint32_t i = 0; i < 6 * n; ++i)
    packets.push_back({static_cast<NodeId>(dice.bounded(n)), static_cast<NodeId>(dice.bounded(n)), 1, dice.bounded(9)});
  return packets;
}

TEST(LockstepOnGraphs, OneWayLinksLatenciesAndIntervals) {
  const LinkNetwork network = roundabout();
  network.graph.verify();
  for (std::uint64_t seed = 0; seed < 10; ++seed) agree(network, ShortestPaths(network.graph), bursts(4, seed));
}

TEST(LockstepOnGraphs, ExpressMesh) {
  const ExpressMesh mesh(5, 6, 3);
  const LinkNetwork network{"express mesh", make_express_mesh(mesh, 2), mesh, "express-mesh"};
  for (const char* discipline : {"furthest-destination", "furthest-origin", "fifo"})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto greedy = named_algorithm("greedy", network, {{"discipline", discipline}});
      agree(network, *greedy, seed % 2 == 0 ? permutation_packets(random_permutation(30, seed)) : bursts(30, seed));
    }
}

TEST(LockstepOnGraphs, FatTree) {
  for (const auto& [arity, levels] : {std::pair(2, 3), std::pair(4, 2)}) {
    const FatTree tree(arity, levels);
    const LinkNetwork network{"fat tree", make_fat_tree(tree), tree, "fat-tree"};
    const auto algorithm = named_algorithm("nearest-ancestor", network);
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      agree(network, *algorithm,
            seed % 2 == 0 ? permutation_packets(random_permutation(tree.processors(), seed))
                          : bursts(tree.processors(), seed));
  }
}

// The other store-and-forward algorithms serve grids: EveryAlgorithm.IsInLockstep.
TEST(LockstepOnGraphs, PacketsWaitForTheIntervalOfALink) {
  const FatTree tree(2, 3);
  const LinkNetwork even{"fat tree", make_fat_tree(tree), tree, "fat-tree"};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const LinkNetwork network = with_uneven_links(even, seed);
    agree(network, *named_algorithm("nearest-ancestor", network), bursts(tree.processors(), seed));
    for (const char* discipline : {"furthest-destination", "furthest-origin", "fifo"}) {
      const Keys keys = {{"function", std::string("up-down")}, {"discipline", std::string(discipline)}};
      agree(network, *named_algorithm("greedy", network, keys), bursts(tree.processors(), seed));
    }
  }
}

// With a bound the memory keeps what a link that waits does not take.
TEST(LockstepOnGraphs, ABoundCountsPacketsThatWaitForAnInterval) {
  NetworkGraphBuilder builder;
  builder.add_node(NodeRole::processor, "a");
  builder.add_node(NodeRole::processor, "b");
  builder.add_link(0, 1, {1, 5});
  builder.add_link(1, 0, {1, 5});
  const LinkNetwork network{"pair", builder.build(), {}, "graph"};
  for (const std::int64_t bound : {1, 3}) {
    const Keys keys = {{"function", std::string("shortest")}, {"bound", bound}};
    agree(network, *named_algorithm("greedy", network, keys), std::vector<Packet>(12, Packet{0, 1, 1, 0}));
  }
  // Down from the switch no link is slower than up to it: a switch refuses no packet.
  const FatTree tree(2, 1);
  const LinkNetwork even{"fat tree", make_fat_tree(tree), tree, "fat-tree"};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const LinkNetwork network = with_uneven_links(even, seed);
    const Port up = network.graph.out_ports(0).lowest();
    const Port down = network.graph.far_end(2, 0).node == 1 ? 0 : 1;
    if (network.graph.interval(0, up) < network.graph.interval(2, down)) continue;
    const auto bounded = named_algorithm("nearest-ancestor", network, {{"bound", std::int64_t{2}}});
    agree(network, *bounded, std::vector<Packet>(12, Packet{0, 1, 1, 0}));
  }
}

// Those that count steps, or replay a plan, say that they do not serve such links.
TEST(LockstepOnGraphs, TimetablesTakeNoIntervals) {
  const Grid mesh = Grid::mesh({4, 4});
  const LinkNetwork network = with_uneven_links(network_of(mesh), 1);
  const auto packets = permutation_packets(random_permutation(mesh.nodes(), 1));
  int refused = 0;
  for (const AlgorithmEntry& entry : algorithm_table()) {
    if (!entry.serves(network.capabilities()) || !(entry.off_line || entry.in_lockstep)) continue;
    try {
      named_algorithm(entry.name, network, {}, &packets);
      FAIL() << entry.name << " is made";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(", which needs links of interval 1, not 3")) << entry.name;
      ++refused;
    }
  }
  EXPECT_GE(refused, 5);
}

// ---- what the hardware looks like, and enforces

TEST(GraphNetlist, HasSwitchesAndTheTimesOfTheLinks) {
  const LinkNetwork value = roundabout();
  const ShortestPaths algorithm(value.graph);
  const Network network("network", value, algorithm);
  EXPECT_NE(dynamic_cast<Switch*>(sc_core::sc_find_object("network.s4")), nullptr);
  EXPECT_NE(dynamic_cast<RouterNode*>(sc_core::sc_find_object("network.p3")), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network.s4.buffer_port1_v0"), nullptr);
  const auto* link = dynamic_cast<Link*>(sc_core::sc_find_object("network.link_s4_port1"));
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->latency(), 3);
  EXPECT_EQ(link->interval(), 2);
}

/// The first rule that the controllers break.
std::string breach(const LinkNetwork& network, const FlitFunction::Function& function) {
  Declaration declaration;
  declaration.forward_wire = declaration.reverse_wire = true;
  const FlitFunction algorithm(Grid::mesh({1, network.graph.nodes()}), declaration, function);
  ListSource source({{0, 1, 1, 0}});
  NetlistRunOptions options;
  options.max_steps = 20;
  const NetlistRun run = run_netlist(network, algorithm, source, options);
  return run.violation.text;
}

TEST(GraphNetlist, PortsAreNumberedApart) {
  const LinkNetwork network = roundabout();
  EXPECT_THAT(breach(network, [](FlitView& view) { view.write_forward(0, 1); }), HasSubstr("port that has no link"));
  EXPECT_THAT(breach(network, [](FlitView& view) { view.write_reverse(1, 1); }), HasSubstr("port that has no link"));
  EXPECT_EQ(breach(network,
                   [](FlitView& view) {
                     if (view.node() != 0) return;
                     view.write_forward(1, 1);
                     view.write_reverse(2, 1);
                   }),
            "");
}

TEST(GraphNetlist, AnIntervalWithholdsThePort) {
  const LinkNetwork network = roundabout();
  std::vector<PortMask> seen;
  const auto impatient = [&seen](bool waits) {
    return [&seen, waits](FlitView& view) {
      Flit token;
      token.kind = FlitKind::token;
      if (view.node() == 0) view.send(1, token);
      if (view.node() != 4) return;
      seen.push_back(view.out_ports());
      if (!waits || view.out_ports() != 0) view.send(1, token);
      view.write_forward(1, 7);  // side words have no interval
      if (view.step() < 5) view.wake_at(view.step() + 1);
    };
  };
  EXPECT_EQ(breach(network, impatient(true)), "");
  EXPECT_THAT(seen, ElementsAre(2, 0, 2, 0, 2));
  EXPECT_THAT(breach(network, impatient(false)), HasSubstr("before its interval was over"));
}

TEST(GraphNetlist, ASwitchHasNoProcessor) {
  const LinkNetwork network = roundabout();
  const auto eject_at_the_switch = [](FlitView& view) {
    if (view.node() == 0) view.send(1, view.accept());
    if (view.node() == 4) view.eject(view.arrival(0));
  };
  EXPECT_THAT(breach(network, eject_at_the_switch), HasSubstr("is a switch, but it ejects or stores"));
  const auto inject_at_the_switch = [](FlitView& view) {
    if (view.node() == 4) view.send(1, view.accept());
    else view.send(1, view.accept());
  };
  EXPECT_THAT(breach(network, inject_at_the_switch), HasSubstr("accepted a flit although the memory is empty"));
  const FlitFunction idle(Grid::mesh({1, 6}), {}, [](FlitView&) {});
  for (const Packet& packet : {Packet{4, 0, 1, 0}, Packet{0, 5, 1, 0}}) {
    ListSource source({packet});
    const NetlistRun run = run_netlist(network, idle, source);
    EXPECT_THAT(run.violation.text, HasSubstr("is a switch"));
  }
}

/// A mesh with its ports in the order of the arbiters of the mesh.
LinkNetwork mesh_by_hand(const Grid& mesh) {
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < mesh.nodes(); ++node) builder.add_node(NodeRole::processor, mesh.node_name(node));
  const Port north = 0, east = 1, south = 2, west = 3;
  const std::vector<Port> order = {east, west, south, north};
  const auto place_of = [&](Port port) {
    return static_cast<Port>(std::find(order.begin(), order.end(), port) - order.begin());
  };
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    for (const Port port : order)
      if (const NodeId next = mesh.neighbour(node, port); next != no_node)
        builder.add_link({node, place_of(port)}, {next, place_of(mesh.reverse(port))});
  return {"mesh by hand", builder.build(), {}, "graph"};
}

TEST(RouterOnAGraph, IsThatOfTheMeshWithThePortsInItsOrder) {
  const Grid mesh = Grid::mesh({4, 5});
  const LinkNetwork by_hand = mesh_by_hand(mesh);
  for (const auto& [channels, buffer, cycles] : {std::tuple(1, 8, 3), std::tuple(2, 3, 4), std::tuple(4, 4, 5)})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      std::vector<Packet> packets = bursts(mesh.nodes(), seed);
      for (std::size_t i = 0; i < packets.size(); ++i) packets[i].flits = 1 + static_cast<std::int32_t>(i % 7);
      const auto of_mesh = named_algorithm(
          "vc-wormhole", mesh,
          {{"channels", std::int64_t{channels}}, {"buffer", std::int64_t{buffer}}, {"pipeline", std::int64_t{cycles}}});
      // The lowest port of a shortest path is dimension order.
      const ShortestRouter of_graph(by_hand.graph, channels, buffer, *router::Pipeline::of(cycles, cycles == 3));
      ListSource one(packets), other(packets);
      const NetlistRun expected = run_netlist(mesh, *of_mesh, one), run = run_netlist(by_hand, of_graph, other);
      EXPECT_EQ(run.record.delivered, expected.record.delivered);
      EXPECT_EQ(run.record.injected, expected.record.injected);
      EXPECT_EQ(run.record.flit_hops, expected.record.flit_hops);
    }
}

}  // namespace
}  // namespace starloom::links
